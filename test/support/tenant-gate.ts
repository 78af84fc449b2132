import pg from 'pg';
import { tenantTables } from './tables.ts';
import { tenantOffenses } from './tenant-sql.ts';

const sound = new Set<string>();
const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;

/**
 * From here on every statement that the server sends in this process is held to the tenant rules: one that breaks them
 * throws instead of running. A test's own statements are not checked.
 */
export function refuseTenantOffenses(): void {
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const first = args[0] as { text?: unknown } | string | undefined;
    const text = typeof first === 'string' ? first : first?.text;
    if (typeof text === 'string' && isServers(this) && !sound.has(text)) {
      const offenses = tenantOffenses(text, tenantTables);
      if (offenses.length > 0) throw new Error(`${offenses.join('; ')}:\n${text}`);
      sound.add(text);
    }
    return original.apply(this, args);
  } as typeof pg.Client.prototype.query;
}

function isServers(client: pg.Client): boolean {
  const { connectionParameters } = client as unknown as { connectionParameters?: { application_name?: string } };
  return connectionParameters?.application_name?.startsWith('tonerow-') ?? false;
}
