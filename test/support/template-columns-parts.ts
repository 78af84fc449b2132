import { hasSqlDetails, loadModule, parseSync } from 'libpg-query';
import type { Nullables } from './sql-templates.ts';

await loadModule();

// biome-ignore lint/suspicious/noExplicitAny: a parse tree has a hundred shapes, and this looks at a dozen
type Node = any;
/** In their order; null: whatever. */
type Columns = readonly string[] | null;
/** What each part of a WITH has. */
type Names = ReadonlyMap<string, Columns>;

/** A column that a text names. */
export interface Named {
  /** Where, in the text. */
  index: number;
  /** As the text has it: `s.code`. */
  column: string;
  name: string;
  /** Or the part of the statement that has it. */
  table: string;
  columns: Columns;
}

type Relation = Pick<Named, 'table' | 'columns'>;

/** What one FROM brings, by its alias. */
interface Level {
  relations: Map<string, Relation>;
  /** Something that was put in may bring more. */
  isOpen: boolean;
  outer: Level | null;
}

/** Texts that may take the place of what a template puts in, `#` being its number. The first one that makes the text a statement does. */
const FILLERS = [
  '$#', // a value, a condition, columns
  'cross join _#', // joins
  ', $#', // more of a list
  '$#,', // a list that goes on
  '_#', // a name, what a FROM begins with
  'select $#', // a query
  '', // `and …`, `order by …`, a part of a WITH
  '(select $#)', // a query in parentheses
  '($#)', // rows of values
  '_# as (select)', // parts of a WITH
  '_# = $#', // what is set
  'with _# as (select)',
  '=',
  '_# where true', // a FROM with its conditions
  'cross join _# where true',
];
/** What makes a statement of columns or a condition, parts of a WITH, a FROM, joins, `and …`, more parts of a WITH. */
const BEFORE = [
  '',
  'select',
  'with',
  'select from',
  'select from _#',
  'select from _# where true',
  'with _# as (select)',
];
const AFTER = ['', 'select'];
const isPutIn = (name: string) => /^_\d+$/.test(name);

const READS_OR_WRITES = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']);

/**
 * Columns that a template names by a table or a part of its statement (of a WITH, a select in a FROM, a function with a list of columns).
 * None if no statement can be made of it.
 * @param texts between what is put in
 */
export function columnsOfParts(texts: readonly string[], tables: Nullables): Named[] {
  const { statements, starts } = parsedTemplate(texts);
  // several columns may be put in where none follows by its name
  const reader = new Reader(tables, (parameter) => /^[\s)]*as\b/i.test(texts[parameter] ?? ''));
  for (const each of statements) reader.query(each, null, new Map());
  return reader.found.map((each) => {
    const k = starts.findLastIndex((start) => start <= each.index);
    const before = texts.slice(0, k).reduce((sum, { length }) => sum + length + 1, 0);
    return { ...each, index: before + each.index - (starts[k] ?? 0) };
  });
}

/**
 * What a statement casts the columns to that it selects or returns, by their names, and as PostgreSQL calls it: `int4`. A count is
 * an `int8` without a cast.
 * @param texts between what is put in
 */
export function castsOf(texts: readonly string[]): Map<string, string> {
  const { statements } = parsedTemplate(texts);
  const casts = statements.length === 1 ? castsOfQuery(statements[0]) : [];
  const found = new Map<string, string>();
  for (const { name, type } of casts) if (name && type) found.set(name, type);
  return found;
}

interface Cast {
  name: string | undefined;
  type: string | undefined;
}

function castsOfQuery(statement: Node): Cast[] {
  const [body] = Object.values<Node>(statement);
  if (body.larg) {
    // one type for both, which is known where they agree
    const others = castsOfQuery({ SelectStmt: body.rarg });
    return castsOfQuery({ SelectStmt: body.larg }).map(({ name, type }, i) => ({
      name,
      type: others[i]?.type === type ? type : undefined,
    }));
  }
  const list: Node[] = (body.relation ? body.returningClause?.exprs : body.targetList) ?? [];
  return list.map(({ ResTarget: { val, name = nameOf(val) } }) => ({ name, type: typeOf(val) }));
}

function typeOf({ TypeCast, FuncCall }: Node): string | undefined {
  if (TypeCast) return TypeCast.typeName.arrayBounds ? undefined : strings(TypeCast.typeName.names).at(-1);
  return strings(FuncCall?.funcname).join('.') === 'count' ? 'int8' : undefined;
}

export function columnsOf(tables: Nullables, table: string): Columns {
  const columns = tables.get(table);
  return columns ? [...columns.keys()] : null;
}

function parsedTemplate(texts: readonly string[]): { statements: Node[]; starts: number[] } {
  const gaps = [BEFORE, ...texts.slice(1).map(() => FILLERS), AFTER].map((fillers) => ({
    fillers,
    chosen: 0,
    begin: 0,
  }));
  for (let tries = 100 + 20 * gaps.length; tries > 0; tries--) {
    const starts: number[] = [];
    let sql = '';
    for (const [k, gap] of gaps.entries()) {
      gap.begin = sql.length;
      sql += ` ${gap.fillers[gap.chosen]} `.replaceAll('#', `${k}`);
      starts.push(sql.length);
      // the parser counts bytes
      sql += (texts[k] ?? '').replace(/[^\n -~]/g, ' ');
    }
    try {
      const { stmts = [] } = parseSync(sql) as { stmts?: { stmt: Node }[] };
      return { statements: stmts.map(({ stmt }) => stmt), starts: starts.slice(0, texts.length) };
    } catch (error) {
      if (!hasSqlDetails(error)) throw error;
      const position = error.sqlDetails?.cursorPosition ?? 0;
      // the last gap before the mistake is filled in another way, and those after it from the first one on
      const wrong = gaps.findLast(({ begin, chosen, fillers }) => begin <= position && chosen + 1 < fillers.length);
      if (!wrong) break;
      wrong.chosen++;
      for (const gap of gaps.slice(gaps.indexOf(wrong) + 1)) gap.chosen = 0;
    }
  }
  return { statements: [], starts: [] };
}

class Reader {
  readonly found: Named[] = [];
  readonly #tables: Nullables;
  readonly #isOne: (parameter: number) => boolean;

  constructor(tables: Nullables, isOne: (parameter: number) => boolean) {
    this.#tables = tables;
    this.#isOne = isOne;
  }

  /** Answers the columns that it selects or returns. */
  query(statement: Node, outer: Level | null, above: Names): Columns {
    const [kind, body] = Object.entries<Node>(statement)[0] as [string, Node];
    if (!READS_OR_WRITES.has(kind)) return null;
    const { withClause, relation, cols, selectStmt, fromClause, usingClause, ...rest } = body;
    const names = new Map(above);
    for (const { CommonTableExpr: part } of withClause?.ctes ?? []) {
      // within itself it is a table or, of a recursive one, not known yet
      names.set(part.ctename, null);
      const columns = renamed(this.query(part.ctequery, outer, names), part.aliascolnames);
      names.set(part.ctename, part.search_clause || part.cycle_clause ? null : columns);
    }
    if (rest.larg) {
      const columns = this.query({ SelectStmt: rest.larg }, outer, names);
      this.query({ SelectStmt: rest.rarg }, outer, names);
      return columns;
    }
    if (selectStmt) this.query(selectStmt, outer, names);
    const level: Level = { relations: new Map(), isOpen: false, outer };
    if (relation) {
      // whatever it is called in a WITH, what is written is a table
      this.#from({ RangeVar: relation }, level, new Map());
      const target = { table: relation.relname, columns: this.#columnsOf(relation, new Map()) };
      level.relations.set('excluded', target);
      const written: Node[] = [cols, rest.targetList, rest.onConflictClause?.targetList].flatMap((part) => part ?? []);
      for (const { ResTarget: each } of written) this.#note(each.name, each.name, each.location, target);
    }
    for (const item of [...(fromClause ?? []), ...(usingClause ?? [])]) this.#from(item, level, names);
    const list: Node[] = (relation ? rest.returningClause?.exprs : rest.targetList) ?? [];
    // a FROM may be put in behind a list
    if (!fromClause && list.some(({ ResTarget: { name, val } }) => val.ParamRef && !name)) level.isOpen = true;
    this.#expressions(rest, level, names);
    if (rest.valuesLists) return rest.valuesLists[0].List.items.map((_: Node, i: number) => `column${i + 1}`);
    return all(list.map(({ ResTarget: each }) => this.#selected(each, level)));
  }

  #selected({ name, val }: Node, { relations, isOpen }: Level): Columns {
    if (name) return isPutIn(name) || (val.ParamRef && !this.#isOne(val.ParamRef.number)) ? null : [name];
    const fields: Node[] = val.ColumnRef?.fields ?? [];
    if (fields.at(-1)?.A_Star) {
      if (fields.length > 1) return relations.get(fields[0].String?.sval)?.columns ?? null;
      return isOpen ? null : all([...relations.values()].map(({ columns }) => columns));
    }
    const own = nameOf(val);
    return own === undefined || isPutIn(own) ? null : [own];
  }

  #from(item: Node, level: Level, names: Names): void {
    const [kind, body] = Object.entries<Node>(item)[0] as [string, Node];
    if (kind === 'JoinExpr') {
      this.#from(body.larg, level, names);
      this.#from(body.rarg, level, names);
      this.#expressions(body.quals, level, names);
      if (body.alias) level.isOpen = true;
      return;
    }
    const alias: string = body.alias?.aliasname ?? body.relname ?? '';
    let columns: Columns = null;
    if (kind === 'RangeVar') columns = body.alias?.colnames ? null : this.#columnsOf(body, names);
    else if (kind === 'RangeSubselect')
      columns = renamed(this.query(body.subquery, body.lateral ? level : level.outer, names), body.alias?.colnames);
    else {
      this.#expressions(body, level, names);
      if (kind === 'RangeFunction') columns = ofFunction(body);
    }
    if (alias === '' || isPutIn(alias)) level.isOpen = true;
    else level.relations.set(alias, { table: body.relname ?? alias, columns });
  }

  #columnsOf({ relname, schemaname }: Node, names: Names): Columns {
    if (schemaname) return null;
    return names.has(relname) ? (names.get(relname) ?? null) : columnsOf(this.#tables, relname);
  }

  #expressions(node: Node, level: Level, names: Names): void {
    if (!node || typeof node !== 'object') return;
    for (const [key, value] of Object.entries<Node>(node)) {
      if (key === 'SelectStmt') this.query({ SelectStmt: value }, level, names);
      else if (key === 'ColumnRef') this.#qualified(value, level);
      else this.#expressions(value, level, names);
    }
  }

  #qualified({ fields, location }: Node, level: Level): void {
    const [alias, name] = fields.map((field: Node) => field.String?.sval);
    if (fields.length !== 2 || !alias || !name) return;
    for (let at: Level | null = level; at; at = at.outer) {
      const relation = at.relations.get(alias);
      if (relation) this.#note(`${alias}.${name}`, name, location, relation);
      if (relation || at.isOpen) return;
    }
  }

  #note(column: string, name: string, index: number | undefined, relation: Relation): void {
    if (!isPutIn(name)) this.found.push({ index: index ?? 0, column, name, ...relation });
  }
}

function all(lists: Columns[]): Columns {
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
}

function strings(nodes: Node[] = []): string[] {
  return nodes.map((node) => node.String.sval);
}

/** By a list of columns behind the alias. */
function renamed(columns: Columns, names: Node[] | undefined): Columns {
  const given = strings(names);
  if (!columns || given.some(isPutIn)) return null;
  // which ones keep their names is not known: the columns of a table have no order here
  return given.length < columns.length ? [...given, ...columns] : given;
}

/** `unnest(…) as x (a, b)`, and `json_to_recordset(…) as x (a int, b text)`. */
function ofFunction({ alias, coldeflist, ordinality }: Node): Columns {
  const given = coldeflist?.map(({ ColumnDef: each }: Node) => each.colname) ?? strings(alias?.colnames);
  if (given.length === 0 || given.some(isPutIn)) return null;
  return ordinality ? [...given, 'ordinality'] : given;
}

/** What PostgreSQL calls a column that nobody names, as far as that is known here. */
function nameOf({ ColumnRef, FuncCall, CoalesceExpr, TypeCast }: Node): string | undefined {
  if (TypeCast) return nameOf(TypeCast.arg);
  return CoalesceExpr ? 'coalesce' : (ColumnRef?.fields ?? FuncCall?.funcname)?.at(-1)?.String?.sval;
}
