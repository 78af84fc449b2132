import { loadModule, parseSync } from 'libpg-query';

await loadModule();

interface With {
  ctename: string;
  ctequery: Record<string, { lockingClause?: unknown }>;
}

/**
 * Names of each WITH that locks rows for other parts of its statement, some of which write. A database of many machines hands its rows on
 * in a format in which they are not read. One level deeper it is right: `with held as (select * from (select … for update) locked)`.
 */
export function lockingWiths(sql: string): string[] {
  if (!/\bfor\s+(no\s+key\s+update|update|share|key\s+share)\b/i.test(sql) || !/\bwith\b/i.test(sql)) return [];
  const withs = found(parseSync(sql));
  if (!withs.some(({ ctequery }) => !('SelectStmt' in ctequery))) return [];
  return withs.filter(({ ctequery }) => ctequery.SelectStmt?.lockingClause !== undefined).map(({ ctename }) => ctename);
}

function found(node: unknown): With[] {
  if (!node || typeof node !== 'object') return [];
  const { CommonTableExpr: own } = node as { CommonTableExpr?: With };
  return [...(own ? [own] : []), ...Object.values(node).flatMap(found)];
}
