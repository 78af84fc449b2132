import { loadModule, parseSync } from 'libpg-query';
import { spread } from '../../packages/server/src/spread.ts';

await loadModule();

// biome-ignore lint/suspicious/noExplicitAny: a parse tree has a hundred shapes, and this looks at a dozen
type Node = any;

/** A statement that needs all machines and may wait for them carries one of these comments with a reason. */
const MAY_WAIT = /\/\* (with every machine|across tenants): .+?\*\//s;
const BY_CHANCE = new Set(['gen_random_uuid', 'random', 'clock_timestamp', 'timeofday', 'nextval']);

/**
 * Rows that a statement adds to a tenant's table from other parts of itself, in a way in which a database of many machines copies these
 * parts to every one of them first: the call fails for all tenants while a machine is gone. It adds them where the tenant is if their
 * `developer_id` is that of a table's row in the same SELECT, nothing of them is chance, and nothing is cut off.
 */
export function strayRows(sql: string, tenantTables: ReadonlySet<string>): string[] {
  if (!/\binsert\b/i.test(sql) || !/\bselect\b/i.test(sql) || MAY_WAIT.test(sql)) return [];
  return new Statement(parseSync(sql), tenantTables).offenses();
}

class Statement {
  readonly #tree: Node;
  readonly #tenantTables: ReadonlySet<string>;
  readonly #withs: ReadonlyMap<string, Node>;

  constructor(tree: Node, tenantTables: ReadonlySet<string>) {
    this.#tree = tree;
    this.#tenantTables = tenantTables;
    this.#withs = new Map(all(tree, 'CommonTableExpr').map((each) => [each.ctename, each]));
  }

  offenses(): string[] {
    return all(this.#tree, 'InsertStmt').flatMap((insert) => {
      const table = insert.relation.relname;
      const source = insert.selectStmt?.SelectStmt;
      if (!this.#tenantTables.has(table) || !source) return [];
      const part = this.#partRead(source);
      const before = (insert.withClause?.ctes ?? []).find((each: Node) =>
        this.#sharedRead(each.CommonTableExpr.ctequery),
      );
      if (before && this.#isBeside(insert.cols ?? [], source))
        return [
          `rows of ${table} are made on their machine with a part that all machines have: a WITH before the INSERT`,
        ];
      const why = part ? this.#strays(insert.cols ?? [], source) : undefined;
      if (why) return [`rows of ${table} are made from ${part} with the help of every machine: ${why}`];
      const returns = insert.returningList ?? insert.returningClause;
      const named = insert.relation.alias ?? insert.onConflictClause ?? !returns;
      if (!named && this.#isBeside(insert.cols ?? [], source))
        return [`${table} needs an alias: what is returned of rows that are made on other machines has no name there`];
      const shared = this.#isBeside(insert.cols ?? [], source) && this.#sharedRead(source);
      return shared
        ? [`every machine is asked for rows of ${table}: ${shared}, which all have, is read in the same select`]
        : [];
    });
  }

  #strays(columns: Node[], source: Node): string | undefined {
    if (source.valuesLists) return 'its values are read from it';
    if (!this.#isBeside(columns, source)) return 'developer_id is not that of a table in the same select';
    const queries = [source, ...all({ ...source, withClause: undefined }, 'SelectStmt')];
    if (queries.some(({ limitCount, limitOffset }) => limitCount ?? limitOffset)) return 'rows are cut off';
    if (all(source.targetList, 'SubLink').length > 0) return 'a column is a sub-select';
    const chance = all(source, 'FuncCall')
      .map(nameOf)
      .find((name) => BY_CHANCE.has(name));
    return chance && `${chance}() is chance`;
  }

  /** Whether rows are made of those of the tenant, which the same query reads. */
  #isBeside(columns: Node[], source: Node): boolean {
    const at = columns.findIndex(({ ResTarget: { name } }) => name === 'developer_id');
    return this.#isOwn(source, source.targetList?.[at]?.ResTarget.val);
  }

  /** A table that every machine has, which a query reads itself or by what is inlined in it. */
  #sharedRead(query: Node): string | undefined {
    for (const { relname } of all(query, 'RangeVar')) {
      const read = this.#withs.get(relname);
      const shared = read ? (this.#isPart(read) ? undefined : this.#sharedRead(read.ctequery)) : relname;
      if (shared && (read || spread[shared] === 'reference')) return shared;
    }
    return undefined;
  }

  /** A part that others read as it was found: it changes something, is materialized, or has several readers. */
  #isPart({ ctename, ctematerialized, ctequery }: Node): boolean {
    if (!ctequery.SelectStmt || ctematerialized === 'CTEMaterializeAlways') return true;
    const readers = all(this.#tree, 'RangeVar').filter(({ relname }) => relname === ctename).length;
    return ctematerialized !== 'CTEMaterializeNever' && readers > 1;
  }

  /** The first part that a query reads, by itself or by what is inlined in it. */
  #partRead(query: Node): string | undefined {
    for (const { relname } of all(query, 'RangeVar')) {
      const read = this.#withs.get(relname);
      if (!read) continue;
      const part = this.#isPart(read) ? relname : this.#partRead(read.ctequery);
      if (part) return part;
    }
    return undefined;
  }

  /** Whether an expression is the tenant of a table that the query itself reads. */
  #isOwn(query: Node, expression: Node): boolean {
    const fields: string[] | undefined = expression?.ColumnRef?.fields?.map((field: Node) =>
      field.A_Star ? '*' : field.String?.sval,
    );
    if (!fields || !['developer_id', '*'].includes(fields.at(-1) as string)) return false;
    const sources: Node[] = (query.fromClause ?? []).flatMap(sourcesOf);
    const named = fields.length > 1 ? sources.filter((each) => aliasOf(each) === fields[0]) : sources;
    return named.length > 0 && (fields.length > 1 ? named : named.slice(0, 1)).every((each) => this.#carries(each));
  }

  #carries({ RangeVar: table, RangeSubselect: inner }: Node): boolean {
    const read = table && this.#withs.get(table.relname);
    if (table && !read) return this.#tenantTables.has(table.relname);
    if (read && this.#isPart(read)) return false;
    const query = read ? read.ctequery.SelectStmt : inner?.subquery.SelectStmt;
    const targets: Node[] = query?.targetList ?? [];
    return targets.some(
      ({ ResTarget: { name, val } }) => (name ?? 'developer_id') === 'developer_id' && this.#isOwn(query, val),
    );
  }
}

/** The sources of a FROM, through its joins. */
function sourcesOf(item: Node): Node[] {
  return item.JoinExpr ? [...sourcesOf(item.JoinExpr.larg), ...sourcesOf(item.JoinExpr.rarg)] : [item];
}

function aliasOf(source: Node): string | undefined {
  const body = source.RangeVar ?? source.RangeSubselect ?? source.RangeFunction;
  return body?.alias?.aliasname ?? body?.relname;
}

const nameOf = ({ funcname }: Node): string => funcname?.at(-1)?.String?.sval;

/** All nodes of a kind in a tree. */
function all(node: Node, kind: string): Node[] {
  if (!node || typeof node !== 'object') return [];
  return Object.entries<Node>(node).flatMap(([key, value]) => [...(key === kind ? [value] : []), ...all(value, kind)]);
}
