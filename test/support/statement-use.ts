import { loadModule, parseSync } from 'libpg-query';
import type { TableUse } from './table-use.ts';

await loadModule();

// biome-ignore lint/suspicious/noExplicitAny: a parse tree has a hundred shapes, and this looks at a dozen
type Node = any;
export type SentUse = Omit<TableUse, 'line'>;

const writes: Record<string, SentUse['does']> = { InsertStmt: 'adds', UpdateStmt: 'updates', DeleteStmt: 'deletes' };

/** The uses of known tables in a statement, however it was written. */
export function statementUses(sql: string, known: ReadonlySet<string>): SentUse[] {
  const found: SentUse[] = [];
  const note = (relation: Node, does: SentUse['does'], names: ReadonlySet<string>, columns: string[] = []) => {
    const name = relation?.relname;
    if (known.has(name) && !relation.schemaname && !names.has(name)) found.push({ table: name, does, columns });
  };

  function statement(kind: string, body: Node, above: ReadonlySet<string>): void {
    const names = new Set(above);
    const { withClause, relation, onConflictClause, lockingClause: _, ...rest } = body;
    // a part of a WITH is a name for all that comes after it, and for a recursive one itself
    for (const { CommonTableExpr: cte } of withClause?.ctes ?? []) {
      if (withClause.recursive) names.add(cte.ctename);
      walk(cte.ctequery, names);
      names.add(cte.ctename);
    }
    const does = writes[kind];
    // whatever it is called in a WITH, what is written is a table
    if (does) note(relation, does, new Set(), does === 'updates' ? columnsOf(rest.targetList) : []);
    else if (kind === 'MergeStmt') mergeUses(body, relation);
    if (onConflictClause?.targetList) note(relation, 'updates', new Set(), columnsOf(onConflictClause.targetList));
    walk([rest, onConflictClause], names);
  }

  function mergeUses({ mergeWhenClauses }: Node, relation: Node): void {
    for (const { MergeWhenClause: clause } of mergeWhenClauses) {
      if (clause.commandType === 'CMD_INSERT') note(relation, 'adds', new Set());
      if (clause.commandType === 'CMD_DELETE') note(relation, 'deletes', new Set());
      if (clause.commandType === 'CMD_UPDATE') note(relation, 'updates', new Set(), columnsOf(clause.targetList));
    }
  }

  function walk(node: Node, names: ReadonlySet<string>): void {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const each of node) walk(each, names);
      return;
    }
    for (const [key, value] of Object.entries<Node>(node)) {
      if (key === 'RangeVar') note(value, 'reads', names);
      else if (key === 'CopyStmt') {
        note(value.relation, value.is_from ? 'adds' : 'reads', names);
        walk(value.query, names);
      } else if (key === 'TruncateStmt') {
        for (const { RangeVar: table } of value.relations) note(table, 'deletes', names);
      } else if (key === 'larg' || key === 'rarg') {
        // a part of a UNION, or of a JOIN
        if (value?.targetList || value?.valuesLists || value?.op) statement('SelectStmt', value, names);
        else walk(value, names);
      } else if (key === 'SelectStmt' || key === 'MergeStmt' || writes[key]) statement(key, value, names);
      else walk(value, names);
    }
  }

  walk(parseSync(sql), new Set());
  return found;
}

const columnsOf = (targets: Node[] | undefined): string[] => (targets ?? []).map(({ ResTarget: each }) => each.name);
