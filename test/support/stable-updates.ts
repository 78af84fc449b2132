import { loadModule, parseSync } from 'libpg-query';
import { spread } from '../../packages/server/src/spread.ts';

await loadModule();

// biome-ignore lint/suspicious/noExplicitAny: a parse tree has a hundred shapes, and this looks at a few
type Node = any;

/** PostgreSQL calls these STABLE: what they make may depend on settings, such as the time zone. */
const STABLE = new Set([
  ...['to_json', 'to_jsonb', 'row_to_json', 'array_to_json', 'array_to_string'],
  ...['json_build_object', 'json_build_array', 'jsonb_build_object', 'jsonb_build_array'],
  ...['json_agg', 'jsonb_agg', 'json_object_agg', 'jsonb_object_agg'],
  ...['concat', 'concat_ws', 'format', 'to_char', 'to_date', 'age'],
]);
const MAY_BE = new RegExp(`\\bupdate\\b[^]*\\b(${[...STABLE].join('|')})\\s*\\(|\\bupdate\\b[^]*interval\\b`, 'i');

/**
 * The calls of STABLE functions with a column in an UPDATE, which a database of many machines refuses. Each machine
 * would evaluate them by its own settings.
 */
export function stableUpdates(sql: string): string[] {
  if (!MAY_BE.test(sql)) return [];
  return all(parseSync(sql), 'UpdateStmt').flatMap((update) => {
    const table: string = update.relation.relname;
    if ((spread[table] ?? 'local') === 'local') return [];
    const called = all(update, 'FuncCall')
      .filter(readsColumn)
      .map(({ funcname }) => funcname?.at(-1)?.String?.sval)
      .find((name) => STABLE.has(name));
    if (called) return [`an update of ${table} calls ${called}() with a column, which is STABLE`];
    const moved = all(update, 'A_Expr').some(
      (added) =>
        ['+', '-'].includes(added.name?.[0]?.String?.sval) &&
        readsColumn(added) &&
        (isInterval(added.lexpr) || isInterval(added.rexpr)),
    );
    return moved ? [`an update of ${table} adds an interval to a moment by a column, which is STABLE`] : [];
  });
}

const readsColumn = (node: Node) => all(node, 'ColumnRef').length > 0;

/** An interval, or what is made of one. */
const isInterval = (node: Node): boolean =>
  node?.TypeCast?.typeName?.names?.at(-1)?.String?.sval === 'interval' ||
  node?.FuncCall?.funcname?.at(-1)?.String?.sval === 'make_interval' ||
  (node?.A_Expr ? isInterval(node.A_Expr.lexpr) || isInterval(node.A_Expr.rexpr) : false);

/** All nodes of a kind in a tree. */
function all(node: Node, kind: string): Node[] {
  if (!node || typeof node !== 'object') return [];
  return Object.entries<Node>(node).flatMap(([key, value]) => [...(key === kind ? [value] : []), ...all(value, kind)]);
}
