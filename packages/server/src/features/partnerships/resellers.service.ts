import type { Readable } from 'node:stream';
import { recordAudit } from '#features/audit';
import type { EmailSwitches } from '#features/emails';
import { recordWebhook } from '#features/webhooks';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import { mayCauseEmail, takeCausedEmails } from '#platform/email/caused-emails.ts';
import type { Email, KeyedEmailQueue } from '#platform/email/mailer.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import { decodeNameCursor, type Page, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Random } from '#platform/random.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { recordEvent } from './history.ts';
import { limits as policies } from './limits.ts';
import { type Locked, lockPartnership, mergeNamed, type StockMoves } from './merge.ts';
import * as emails from './partnership-emails.ts';
import type {
  HappeningKind,
  Merged,
  MergeOrder,
  PartnershipStatus,
  PartnershipsEvent,
  Reseller,
  ResellerChanges,
  ResellerProfile,
} from './partnerships.schemas.ts';
import {
  changePartnership,
  findPartner,
  findReseller,
  historyOf,
  listResellers,
  lockPartner,
  type Partner,
  type ResellerFilter,
  resellerAddress,
  resellersExport,
} from './resellers.queries.ts';
import type { PartnershipsDb, PartnershipsHandle } from './tables.ts';

interface Dependencies {
  db: PartnershipsDb;
  clock: Clock;
  random: Random;
  limits: RateLimits;
  exports: Exports;
  emailQueue: KeyedEmailQueue;
  events: Publisher<PartnershipsEvent>;
  emailSwitches: EmailSwitches;
  stock: StockMoves;
  publicUrl: string;
}

interface ListQuery extends ResellerFilter {
  limit: number;
  cursor?: string | undefined;
  count: boolean;
}

interface Step {
  from: readonly PartnershipStatus[];
  to: 'active' | 'paused' | 'ended';
  kind: HappeningKind;
  email(held: Partner, notice: { to: string; from: string; url: string }): Email;
}

const STEPS = {
  pause: { from: ['active'], to: 'paused', kind: 'paused', email: (_, notice) => emails.pausedEmail(notice) },
  resume: { from: ['paused'], to: 'active', kind: 'resumed', email: (_, notice) => emails.resumedEmail(notice) },
  end: {
    from: ['active', 'paused'],
    to: 'ended',
    kind: 'ended',
    email: ({ commission_bps }, notice) => emails.endedEmail(notice, commission_bps / 100),
  },
} as const satisfies Record<string, Step>;

const audited = { pause: 'reseller_paused', resume: 'reseller_resumed', end: 'reseller_ended' } as const;

/** A developer's resellers: who they are, on which terms they sell, and whether they may. */
export class Resellers {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(
    caller: Principal,
    { limit, cursor, count, ...filter }: ListQuery,
  ): Promise<Page<Reseller> & { total: number | null }> {
    const page = { after: decodeNameCursor(cursor), limit: limit + 1, count };
    const { rows, total } = await listResellers(this.#deps.db, caller.accountId, filter, page);
    const { next_cursor, rows: shown } = pageOf(rows, limit, (last) => [last.sort_key, last.id]);
    return { rows: shown.map(({ sort_key, ...row }) => row), next_cursor, total };
  }

  export(caller: Principal, query: ResellerFilter, signal: AbortSignal): Promise<Readable> {
    return this.#deps.exports.open(caller.accountId, resellersExport(caller.accountId, query, caller.timeZone), signal);
  }

  /** @throws {AppError} not_found, also for another developer's reseller. */
  get(caller: Principal, id: string): Promise<ResellerProfile> {
    return this.#profile(this.#deps.db, caller.accountId, id);
  }

  /**
   * Changes the commission (for later redemptions only) and the threshold of low stock. The reseller gets an email about
   * a new rate, up to ten a day of this developer's of any kind.
   * Two changes at once happen one after the other, and both are in the history.
   * @throws {AppError} not_found; conflict for the commission of a partnership that has ended.
   */
  async change(caller: Principal, id: string, changes: ResellerChanges): Promise<ResellerProfile> {
    const { commission_rate: rate, low_stock_threshold: threshold } = changes;
    const mayEmail = rate !== undefined && (await this.#mayEmail(caller, id));
    return this.#deps.db.work({ tx: true }, async (tx) => {
      const held = existing(await lockPartner(tx, caller.accountId, id));
      if (rate !== undefined) await this.#changeRate(tx, caller.accountId, held, Math.round(rate * 100), mayEmail);
      if (threshold !== undefined) {
        if (held.status === 'merged') throw refused('merged');
        await changePartnership(tx, caller.accountId, id, { low_stock_threshold: threshold });
      }
      await this.#publish(tx, caller.accountId, held, held.status);
      return this.#profile(tx, caller.accountId, id);
    });
  }

  /**
   * Pauses, resumes or ends a partnership. Repeating it changes nothing. The reseller gets an email about the end, and about other
   * changes up to ten a day of this developer's.
   * @throws {AppError} not_found; conflict when its state does not allow it.
   */
  async step(caller: Principal, id: string, name: keyof typeof STEPS): Promise<ResellerProfile> {
    const { db, clock, emailQueue } = this.#deps;
    const { from, to, kind, email }: Step = STEPS[name];
    // an end needs a new invitation that is accepted before it can come again
    const mayEmail = (await this.#mayEmail(caller, id)) || name === 'end';
    return db.work({ tx: true }, async (tx) => {
      const held = existing(await lockPartner(tx, caller.accountId, id));
      if (held.status !== to) {
        if (!from.includes(held.status)) throw refused(held.status);
        const ended_at = to === 'ended' ? clock.now() : null;
        await changePartnership(tx, caller.accountId, id, { status: to, ended_at });
        await recordEvent(tx, this.#deps, { ...about(caller.accountId, id), kind });
        await recordAudit(tx, caller.accountId, { action: audited[name], at: clock.now(), objectId: id });
        const notice = this.#notice(caller.accountId, held);
        if (notice && mayEmail) await emailQueue.queue(tx, email(held, notice));
        await this.#publish(tx, caller.accountId, held, to);
      }
      return this.#profile(tx, caller.accountId, id);
    });
  }

  /**
   * Makes a named reseller part of a partnership with an account. Repeating it changes nothing; two at once happen one
   * after the other. A dry run does the same, and rolls it back.
   * @throws {AppError} not_found; invalid_request for `into`; conflict unless one is named and the other has an account.
   */
  async merge(caller: Principal, id: string, { into, dry_run }: MergeOrder): Promise<Merged> {
    const { db, emailQueue } = this.#deps;
    const developerId = caller.accountId;
    // a request that is refused or changes nothing uses none of the day's emails
    const isNamed = (await findReseller(db, developerId, id))?.status === 'named';
    const mayEmail = isNamed && !dry_run && (await this.#mayEmail(caller, into));
    let merged: Merged | undefined;
    await dryRunnable(dry_run, (end) =>
      db.work({ tx: true }, async (tx) => {
        const pair = await this.#holdPair(tx, developerId, id, into);
        const isNew = pair.from.merged_into === null;
        const moved = isNew
          ? await mergeNamed(tx, this.#deps, { developerId, ...pair, actorId: developerId })
          : { batches: 0, serials: 0 };
        const redemptions = (await findReseller(tx, developerId, id))?.total_redemptions ?? 0;
        const commission_rate_before = pair.from.commission_bps / 100;
        const reseller = await this.#profile(tx, developerId, pair.into.id);
        merged = { dry_run, ...moved, redemptions, commission_rate_before, reseller };
        if (isNew) {
          const detail = pair.from.name;
          const at = this.#deps.clock.now();
          await recordAudit(tx, developerId, { action: 'reseller_merged', at, detail, objectId: pair.into.id });
          const held = existing(await lockPartner(tx, developerId, pair.into.id));
          const notice = this.#notice(developerId, held);
          if (notice && mayEmail)
            await emailQueue.queue(tx, emails.mergedEmail(notice, pair.from.name, held.commission_bps / 100));
          await this.#publish(tx, developerId, held, held.status);
        }
        end();
      }),
    );
    return merged as Merged;
  }

  /**
   * Both rows of a merge, locked in the order of their ids. What the second one has become part of takes its place.
   * @throws {AppError} as in {@link merge}.
   */
  async #holdPair(
    tx: PartnershipsHandle,
    developerId: string,
    id: string,
    intoId: string,
  ): Promise<{ from: Locked; into: Locked }> {
    if (id === intoId) throw invalidField('into', 'Choose another reseller.');
    const held = new Map<string, Locked | undefined>();
    for (const each of [id, intoId].sort()) held.set(each, await lockPartnership(tx, developerId, each, each === id));
    const [from, named] = [held.get(id), held.get(intoId)];
    if (!from) throw notFound('Reseller');
    const into = named?.merged_into ? await lockPartnership(tx, developerId, named.merged_into) : named;
    if (!into) throw invalidField('into', 'Reseller not found.');
    if (from.merged_into === into.id) return { from, into };
    if (from.status === 'merged')
      throw new AppError('conflict', 'This reseller has become part of another one already.');
    if (from.status !== 'named') throw new AppError('conflict', 'Only a reseller without an account can be merged.');
    if (into.status === 'named')
      throw new AppError('conflict', 'The other reseller has no account yet. Invite them first.');
    if (into.status === 'ended') throw new AppError('conflict', 'The partnership with the other reseller has ended.');
    return { from, into };
  }

  /**
   * Emails the reseller; the answer goes to the developer's own address.
   * @param messageId a repeat with the same id emails nobody.
   * @throws {AppError} not_found; conflict without a reseller who can be written to; rate_limited.
   */
  async message(caller: Principal, id: string, messageId: string, message: string): Promise<void> {
    const { db, limits, emailQueue } = this.#deps;
    const reached = await this.#recipient(db, caller.accountId, existing(await findPartner(db, caller.accountId, id)));
    await limits.take(policies.partner_message, id);
    await limits.take(policies.partner_messages, caller.accountId);
    await takeCausedEmails(limits, caller.accountId, [reached.to]);
    await db.work({ tx: true }, async (tx) => {
      const held = existing(await lockPartner(tx, caller.accountId, id));
      const recipient = await this.#recipient(tx, caller.accountId, held);
      const email = emails.messageEmail({ ...recipient, replyTo: held.developer_email, message });
      await emailQueue.queueOnce(tx, messageId, email);
    });
  }

  /** @throws {AppError} conflict when a message can't reach the reseller. */
  async #recipient(handle: PartnershipsHandle, developerId: string, held: Partner) {
    const notice = this.#notice(developerId, held);
    if (held.status === 'ended' || held.status === 'merged' || !notice || !held.reseller_id) throw refused(held.status);
    const wanted = await this.#deps.emailSwitches.recipientOf(handle, held.reseller_id, 'inquiries');
    if (!wanted) throw new AppError('conflict', 'This reseller has switched off emails about inquiries.');
    return { ...notice, unsubscribeUrl: wanted.unsubscribeUrl };
  }

  /** Counts an email about a change, if there is somebody to get it. */
  async #mayEmail({ accountId, emailVerified }: Principal, id: string): Promise<boolean> {
    const { db, limits } = this.#deps;
    // an account with partners is verified; the terms of a reseller without an account can be changed before
    if (!emailVerified) return false;
    const address = await resellerAddress(db, accountId, id);
    return address !== undefined && mayCauseEmail(limits, accountId, address);
  }

  async #changeRate(
    tx: PartnershipsHandle,
    developerId: string,
    held: Partner,
    bps: number,
    mayEmail: boolean,
  ): Promise<void> {
    if (held.commission_bps === bps) return;
    if (held.status === 'ended' || held.status === 'merged') throw refused(held.status);
    await changePartnership(tx, developerId, held.id, { commission_bps: bps });
    const rate = { from: held.commission_bps, to: bps };
    await recordEvent(tx, this.#deps, { ...about(developerId, held.id), kind: 'rate_changed', rate });
    const detail = `${held.commission_bps / 100}% to ${bps / 100}%`;
    const audited = { action: 'reseller_rate_changed', at: this.#deps.clock.now(), detail, objectId: held.id } as const;
    await recordAudit(tx, developerId, audited);
    const notice = this.#notice(developerId, held);
    if (!notice || !mayEmail) return;
    await this.#deps.emailQueue.queue(tx, emails.rateChangedEmail(notice, held.commission_bps / 100, bps / 100));
  }

  #notice(developerId: string, held: Partner): { to: string; from: string; url: string } | undefined {
    const { reseller_email: to, developer_name: from } = held;
    return to === null ? undefined : { to, from, url: `${this.#deps.publicUrl}/reseller/developers/${developerId}` };
  }

  async #publish(tx: PartnershipsHandle, developerId: string, held: Partner, status: PartnershipStatus): Promise<void> {
    const data = { partnership_id: held.id, developer_id: developerId, status };
    const both = [developerId, held.reseller_id].filter((accountId) => accountId !== null);
    await this.#deps.events.publish(tx, both, { type: 'partnerships', data });
    if (status !== 'ended') return;
    const ended = { partnership_id: held.id, developer_id: developerId, reseller_id: held.reseller_id };
    for (const accountId of both)
      await recordWebhook(tx, accountId, { type: 'partnership.ended', at: this.#deps.clock.now(), data: ended });
  }

  async #profile(handle: PartnershipsHandle, developerId: string, id: string): Promise<ResellerProfile> {
    const reseller = existing(await findReseller(handle, developerId, id));
    return { ...reseller, ...(await historyOf(handle, developerId, id)) };
  }
}

/** @throws {AppError} not_found */
function existing<T>(found: T | undefined): T {
  if (found === undefined) throw notFound('Reseller');
  return found;
}

const about = (developerId: string, partnershipId: string) => ({ developerId, partnershipId, actorId: developerId });

function refused(status: PartnershipStatus): AppError {
  if (status === 'merged') return new AppError('conflict', 'This reseller has become part of another one.');
  if (status === 'named') return new AppError('conflict', 'This reseller has no account yet. Invite them first.');
  return new AppError('conflict', 'This partnership has ended. Invite the reseller to work together again.');
}
