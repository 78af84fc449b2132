import { loadModule, parseSync } from 'libpg-query';
import { statementUses } from './statement-use.ts';

await loadModule();

/**
 * The tenants' tables of a statement that also notifies. Where tables are spread over many machines it would run on the
 * machine that has them, but listeners are connected to another one. Empty when it does only one of both.
 */
export function tablesBesideNotify(sql: string, tenantTables: ReadonlySet<string>): string[] {
  if (!/\bpg_notify\b/i.test(sql) || !notifies(parseSync(sql))) return [];
  return [...new Set(statementUses(sql, tenantTables).map(({ table }) => table))];
}

function notifies(node: unknown): boolean {
  if (!node || typeof node !== 'object') return false;
  const { funcname } = node as { funcname?: { String?: { sval?: string } }[] };
  if (Array.isArray(funcname) && funcname.at(-1)?.String?.sval === 'pg_notify') return true;
  return Object.values(node).some(notifies);
}
