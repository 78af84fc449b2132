import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { AppError, invalidField } from '#platform/errors.ts';
import { toCents, toDollars } from '#platform/money.ts';
import { type Role, User } from '../accounts.entity.ts';
import type { Settings, SettingsChanges } from './settings.schemas.ts';
import { knownZone } from './time-zones.ts';

/** Port: recalculates what is stored by the account's days for its new time zone, in the same transaction. */
export type OnTimeZone = (sql: Sql, userId: string, timeZone: string) => Promise<void>;
/** What each role stores by its days. */
export type OnTimeZoneOf = Partial<Record<Role, OnTimeZone>>;

interface Dependencies {
  db: Database;
  clock: Clock;
  onTimeZone: OnTimeZoneOf;
}

/** Stored as they are answered. Money is cents in the database. */
type Plain = Exclude<keyof Settings, 'reminder_threshold'>;

const columns = {
  time_zone: 'timeZone',
  first_name: 'firstName',
  last_name: 'lastName',
  company_name: 'companyName',
  website_url: 'websiteUrl',
  support_email: 'supportEmail',
  support_url: 'supportUrl',
  business_address: 'businessAddress',
  tax_id: 'taxId',
  logo_url: 'logoUrl',
  send_customer_emails: 'sendCustomerEmails',
  notify_redemptions: 'notifyRedemptions',
  redemption_emails: 'redemptionEmails',
  notify_low_serials: 'notifyLowSerials',
  notify_webhook_fail: 'notifyWebhookFail',
  notify_announcements: 'notifyAnnouncements',
  notify_inquiries: 'notifyInquiries',
  notify_deals: 'notifyDeals',
  low_serials_threshold: 'lowSerialsThreshold',
} as const satisfies Record<Plain, keyof User>;

/** The account's profile, and which emails it wants. */
export class AccountSettings {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async get(caller: Principal): Promise<Settings> {
    return settingsOf(await this.#deps.db.orm.em.fork().findOneOrFail(User, caller.userId));
  }

  /** Omitted fields stay unchanged. */
  async update(caller: Principal, changes: SettingsChanges): Promise<Settings> {
    const timeZone = changes.time_zone === undefined ? undefined : await knownZone(this.#deps.db, changes.time_zone);
    if (timeZone === undefined) return this.#update(caller, changes);
    // the sums of all its days may have to be recalculated
    return this.#deps.db.bulk(caller.userId, () => this.#update(caller, { ...changes, time_zone: timeZone }));
  }

  async #update(caller: Principal, changes: SettingsChanges): Promise<Settings> {
    const { db, clock, onTimeZone } = this.#deps;
    return db.transaction(async (tx) => {
      await tx.query('select 1 from users where id = $1 for no key update', [caller.userId]);
      const user = await tx.em.findOne(User, { id: caller.userId, deletedAt: null });
      if (!user) throw new AppError('unauthorized', 'This account has been deleted.');
      // registration requires it of resellers
      if (user.role === 'reseller' && changes.company_name === null) throw invalidField('company_name', 'Required.');
      const before = user.timeZone;
      const settingsBefore = settingsOf(user);
      const digestedBefore = getsDigest(user);
      const { reminder_threshold: reminder, ...plain } = changes;
      const fields = Object.entries(plain)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [columns[name as Plain], value]);
      Object.assign(user, Object.fromEntries(fields));
      if (reminder !== undefined) user.reminderCents = toCents(reminder);
      // earlier redemptions were reported one by one, or not meant to be reported
      if (getsDigest(user) && !digestedBefore) user.digestedUntil = clock.now();
      await tx.em.flush();
      if (user.timeZone !== before) await onTimeZone[user.role]?.(tx, user.id, user.timeZone);
      const after = settingsOf(user);
      const changed = changedBetween(settingsBefore, after);
      // their names alone: a log that can't be changed is no place for somebody's name or address
      const audited = { action: 'profile_changed', at: clock.now(), detail: changed.join(', ') } as const;
      if (changed.length > 0) await recordAudit(tx, user.id, audited);
      return after;
    });
  }
}

/** The settings that are not what they were, in words. */
function changedBetween(before: Settings, after: Settings): string[] {
  const names = Object.keys(after) as (keyof Settings)[];
  return names.filter((name) => after[name] !== before[name]).map((name) => name.replaceAll('_', ' '));
}

function getsDigest(user: User): boolean {
  return user.notifyRedemptions && user.redemptionEmails === 'daily';
}

function settingsOf(user: User): Settings {
  const fields = Object.entries(columns).map(([name, column]) => [name, user[column] ?? null]);
  return { ...Object.fromEntries(fields), reminder_threshold: toDollars(user.reminderCents) } as Settings;
}
