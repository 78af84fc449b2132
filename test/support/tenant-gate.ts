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

const exempt = new Set<string>();

/** For a database on which old migrations run: they are from before the rules. */
export function exemptFromTenantRules({ url }: { url: string }): void {
  exempt.add(new URL(url).pathname.slice(1));
}

interface Connected {
  connectionParameters?: { application_name?: string; database?: string };
}

function isServers(client: pg.Client): boolean {
  const { application_name: name, database } = (client as unknown as Connected).connectionParameters ?? {};
  return name?.startsWith('tonerow-') === true && !exempt.has(database ?? '');
}
