import pg from 'pg';
import { lockingWiths } from './locking-with.ts';
import { machineOffenses, OrderOfWrites } from './machine-sql.ts';
import { tablesBesideNotify } from './notify-use.ts';
import { foreignUse, isLent, knownTables } from './owners.ts';
import { forgetsSums } from './seat-use.ts';
import { statementUses } from './statement-use.ts';
import { tenantTables } from './tables.ts';
import { tenantOffenses } from './tenant-sql.ts';

const sound = new Set<string>();
const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;

/**
 * From here on, every statement that the server sends in this process has to keep the rules, however it was written: it
 * is bound to its tenant, uses only tables that the sending feature may use, and sends NOTIFY only by itself. A
 * statement that breaks them throws instead of running. A test's own statements are not checked.
 */
export function refuseTenantOffenses(): void {
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const first = args[0] as Partial<Sent> | string | undefined;
    const { text, feature, values } = (typeof first === 'string' ? { text: first } : (first ?? {})) as Partial<Sent>;
    if (typeof text === 'string' && isServers(this)) {
      const judged = feature === undefined ? text : `${feature} ${alike(values)} ${text}`;
      if (!sound.has(judged)) {
        const offenses = statementOffenses({ text, feature, values });
        if (offenses.length > 0) throw new Error(`${offenses.join('; ')}:\n${text}`);
        sound.add(judged);
      }
      const misplaced = orderOf(this).offense(text);
      if (misplaced) throw new Error(`${misplaced}:\n${text}`);
    }
    return original.apply(this, args);
  } as typeof pg.Client.prototype.query;
}

const orders = new WeakMap<pg.Client, OrderOfWrites>();

function orderOf(client: pg.Client): OrderOfWrites {
  let order = orders.get(client);
  if (!order) {
    order = new OrderOfWrites();
    orders.set(client, order);
  }
  return order;
}

interface Sent {
  text: string;
  /** Whose handle sent it; undefined for text, which only the platform has. */
  feature: string | undefined;
  values: readonly unknown[] | undefined;
}

/** Describes which values are the same. A statement is judged once for each such pattern. */
function alike(values: readonly unknown[] = []): string {
  const first = new Map<unknown, number>();
  for (const [at, value] of values.entries()) if (!first.has(value)) first.set(value, at);
  return values.map((value) => first.get(value)).join();
}

function statementOffenses({ text, feature, values = [] }: Sent): string[] {
  const beside = tablesBesideNotify(text, tenantTables);
  if (beside.length > 0) return [`pg_notify beside ${beside.join(', ')}`];
  if (feature === undefined) return [...tenantOffenses(text, tenantTables), ...machineOffenses(text)];
  const offenses = tenantOffenses(text, tenantTables, { mustBind: tenantTables, values });
  const uses = statementUses(text, knownTables);
  if (forgetsSums(text, uses)) offenses.push('a change of a seat without seat_changes');
  const locking = lockingWiths(text);
  if (locking.length > 0) offenses.push(`rows that ${locking.join(', ')} locks are read by other parts`);
  const trespasses = uses
    .filter((use) => !isLent(feature, use))
    .map((use) => foreignUse(feature, use))
    .filter((each) => each !== undefined);
  return [...offenses, ...machineOffenses(text), ...trespasses.map((each) => `${feature} ${each}`)];
}

const exempt = new Set<string>();

/** Exempts a database on which old migrations run, because they are from before the rules. */
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
