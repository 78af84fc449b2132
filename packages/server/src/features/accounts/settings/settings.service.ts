import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { AppError, invalidField } from '#platform/errors.ts';
import { toCents, toDollars } from '#platform/money.ts';
import type { Role } from '../accounts.entity.ts';
import type { AccountsDb, AccountsHandle } from '../tables.ts';
import type { Settings, SettingsChanges } from './settings.schemas.ts';
import { knownZone } from './time-zones.ts';

/** Port: recalculates what is stored by the account's days for its new time zone, in the same transaction. */
export type OnTimeZone = (sql: Sql, accountId: string, timeZone: string) => Promise<void>;
/** Recounts what each role stores by day, when its time zone changes. */
export type OnTimeZoneOf = Partial<Record<Role, OnTimeZone>>;

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  onTimeZone: OnTimeZoneOf;
}

/** Stored as they are answered. Money is cents in the database. */
type Plain = Exclude<keyof Settings, 'reminder_threshold'>;

const PLAIN = [
  'time_zone',
  'first_name',
  'last_name',
  'company_name',
  'website_url',
  'support_email',
  'support_url',
  'business_address',
  'tax_id',
  'logo_url',
  'send_customer_emails',
  'notify_redemptions',
  'redemption_emails',
  'notify_low_serials',
  'notify_webhook_fail',
  'notify_announcements',
  'notify_inquiries',
  'notify_deals',
  'notify_shops',
  'low_serials_threshold',
] as const satisfies readonly Plain[];
const COLUMNS = [...PLAIN, 'reminder_cents'] as const;

type Row = Columns<'users', (typeof COLUMNS)[number]>;

/** The account’s profile, and which emails it wants. */
export class AccountSettings {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async get(caller: Principal): Promise<Settings> {
    const { db } = this.#deps;
    return settingsOf(
      await db.selectFrom('users').select(COLUMNS).where('id', '=', caller.accountId).executeTakeFirstOrThrow(),
    );
  }

  /** Omitted fields stay unchanged. */
  async update(caller: Principal, changes: SettingsChanges): Promise<Settings> {
    const { db } = this.#deps;
    if (changes.time_zone === undefined) return db.work({ tx: true }, (tx) => this.#update(tx, caller, changes));
    const settled = { ...changes, time_zone: await knownZone(db, changes.time_zone) };
    // the sums of all its days may have to be recalculated
    const bulk = { lane: 'bulk', account: caller.accountId, tx: true } as const;
    return db.work(bulk, (tx) => this.#update(tx, caller, settled));
  }

  async #update(tx: AccountsHandle, { accountId }: Principal, changes: SettingsChanges): Promise<Settings> {
    const { clock, onTimeZone } = this.#deps;
    const held = await tx
      .selectFrom('users')
      .select([...COLUMNS, 'role'])
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!held) throw new AppError('unauthorized', 'This account has been deleted.');
    const { role, ...before } = held;
    // registration requires it of resellers
    if (role === 'reseller' && changes.company_name === null) throw invalidField('company_name', 'Required.');
    const after = await write(tx, accountId, before, changes, clock.now());
    if (after.time_zone !== before.time_zone) await onTimeZone[role]?.(tx, accountId, after.time_zone);
    const changed = changedBetween(settingsOf(before), settingsOf(after));
    // their names alone: a log that can't be changed is no place for somebody's name or address
    const audited = { action: 'profile_changed', at: clock.now(), detail: changed.join(', ') } as const;
    if (changed.length > 0) await recordAudit(tx, accountId, audited);
    return settingsOf(after);
  }
}

async function write(tx: AccountsHandle, accountId: string, before: Row, changes: SettingsChanges, now: Date) {
  const { reminder_threshold: reminder, ...plain } = changes;
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)) as Partial<Row>;
  if (reminder !== undefined) given.reminder_cents = toCents(reminder);
  if (Object.keys(given).length === 0) return before;
  // earlier redemptions were reported one by one, or not meant to be reported
  const begins = getsDigest({ ...before, ...given }) && !getsDigest(before);
  return tx
    .updateTable('users')
    .set({ ...given, ...(begins ? { digested_until: now } : {}) })
    .where('id', '=', accountId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** The settings that are not what they were, in words. */
function changedBetween(before: Settings, after: Settings): string[] {
  const names = Object.keys(after) as (keyof Settings)[];
  return names.filter((name) => after[name] !== before[name]).map((name) => name.replaceAll('_', ' '));
}

function getsDigest(account: Pick<Row, 'notify_redemptions' | 'redemption_emails'>): boolean {
  return account.notify_redemptions && account.redemption_emails === 'daily';
}

function settingsOf({ reminder_cents, ...plain }: Row): Settings {
  return { ...plain, reminder_threshold: toDollars(reminder_cents) };
}
