import { lockAccount } from '#features/accounts';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import { assertMayRead } from '#platform/access/kinds.ts';
import { type Clock, HOUR } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { urlProblem } from '#platform/egress/url-rules.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { purgeJob } from '../delivery/purge.ts';
import { recallWorkers } from '../delivery/wake.ts';
import { refuseUnknownEvents, typesFor } from '../events/audience.ts';
import { patternsFor } from '../events/catalog.ts';
import { namesCode } from '../events/event-body.ts';
import { limits as policies } from '../limits.ts';
import { SECRET_PURPOSE } from '../sealed.ts';
import { publicKeyText, SECRET_BYTES, secretText } from '../signing/sign.ts';
import type { WebhookKeys } from '../signing/webhook-keys.ts';
import { tables, type WebhooksDb, type WebhooksHandle } from '../tables.ts';
import * as q from './endpoints.queries.ts';
import type { EndpointBody, EndpointChange, EndpointView } from './endpoints.schemas.ts';

const MOST = 10;

type HookAction = 'webhook_created' | 'webhook_changed' | 'webhook_deleted' | 'webhook_secret_rotated';

interface Dependencies {
  db: WebhooksDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  jobs: Jobs;
  limits: RateLimits;
  egress: Egress;
  keys: WebhookKeys;
  publicUrl: string;
}

interface Shown {
  webhook: EndpointView;
  secret: string | null;
}

/** The webhooks that accounts want their events at. */
export class Endpoints {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(accountId: string): Promise<EndpointView[]> {
    const rows = await q.findEndpoints(this.#deps.db, accountId, this.#deps.clock.now());
    return Promise.all(rows.map((row) => this.#view(accountId, row)));
  }

  /** @throws {AppError} not_found when it is not this account's. */
  async get(accountId: string, id: string): Promise<EndpointView> {
    const { db, clock } = this.#deps;
    const [row] = await q.findEndpoints(db, accountId, clock.now(), id);
    if (!row) throw notFound('Webhook');
    return this.#view(accountId, row);
  }

  /** @param id a repeat with the same id gets the endpoint that is there, with its secret. */
  async create(caller: Principal, id: string, form: EndpointBody): Promise<Shown> {
    const { db, clock, random, secrets, limits } = this.#deps;
    this.#check(form.url);
    refuseUnknownEvents(caller, form.events);
    mayHavePersonal(caller, form.include_personal);
    mayHaveCodes(caller, form.events, form.include_codes);
    await limits.take(policies.webhook_changes, caller.accountId);
    const secret = random.bytes(SECRET_BYTES);
    const kept = await db.work({ tx: true }, async (tx) => {
      // one at a time, or two at once could both make the last one
      await lockAccount(tx, caller);
      const before = await q.findSecret(tx, caller.accountId, id);
      if (before) return secrets.open(Buffer.from(before.secret), SECRET_PURPOSE);
      if ((await q.countEndpoints(tx, caller.accountId)) >= MOST)
        throw new AppError('domain_rule', `You already have ${MOST} webhooks. Delete one first.`);
      await q.addEndpoint(tx, {
        id,
        developer_id: caller.accountId,
        url: new URL(form.url).href,
        description: form.description,
        events: [...new Set(form.events)],
        signature: form.signature,
        include_personal: form.include_personal,
        include_codes: form.include_codes,
        secret: secrets.seal(secret, SECRET_PURPOSE),
        enabled: true,
        created_at: clock.now(),
      });
      await this.#audit(tx, caller, 'webhook_created', id, form.url);
      return secret;
    });
    return {
      webhook: await this.get(caller.accountId, id),
      secret: form.signature === 'v1' ? secretText(kept) : null,
    };
  }

  /** @throws {AppError} not_found; domain_rule when its secret is lost. */
  async update(caller: Principal, id: string, form: EndpointChange): Promise<EndpointView> {
    const { db, clock, limits } = this.#deps;
    if (form.url !== undefined) this.#check(form.url);
    refuseUnknownEvents(caller, form.events ?? []);
    mayHavePersonal(caller, form.include_personal ?? false);
    await limits.take(policies.webhook_changes, caller.accountId);
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await q.holdEndpoint(tx, caller.accountId, id);
      if (!held) throw notFound('Webhook');
      if (form.enabled && held.lost)
        throw new AppError('domain_rule', 'The secret of this webhook is lost. Rotate it first.');
      const url = form.url === undefined ? undefined : new URL(form.url).href;
      const { include_personal, include_codes, events } = { ...held, ...given(form) };
      // elsewhere, they would be sent to somebody new
      const elsewhere = url !== undefined && url !== held.url;
      if (elsewhere) mayHavePersonal(caller, include_personal);
      if (elsewhere || form.events || form.include_codes) mayHaveCodes(caller, events, include_codes);
      // somewhere else, or a new beginning: what failed before does not count
      const begins = (form.enabled === true && !held.enabled) || elsewhere;
      const switched = form.enabled !== undefined && form.enabled !== held.enabled;
      await q.changeEndpoint(tx, caller.accountId, id, {
        url: url ?? held.url,
        ...given({
          description: form.description,
          events: form.events && [...new Set(form.events)],
          signature: form.signature,
          include_personal: form.include_personal,
          include_codes: form.include_codes,
        }),
        ...(begins ? { first_failure_at: null, last_failure_at: null, warned: 0, slow: false } : {}),
        ...(switched ? switchedTo(form.enabled === true, clock.now()) : {}),
      });
      await recallWorkers(tx);
      await this.#audit(tx, caller, 'webhook_changed', id, url ?? held.url);
    });
    return this.get(caller.accountId, id);
  }

  /** Records only the host of an address: a path may be a secret. */
  #audit(tx: WebhooksHandle, caller: Principal, action: HookAction, id: string, url?: string): Promise<void> {
    const detail = url === undefined ? null : new URL(url).host;
    return recordAudit(tx, caller.accountId, { action, at: this.#deps.clock.now(), detail, objectId: id });
  }

  /** Its deliveries end at the next attempt, and are removed by a job. */
  async delete(caller: Principal, id: string): Promise<void> {
    const { db, jobs } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const removed = await q.removeEndpoint(tx, caller.accountId, id);
      if (!removed) throw notFound('Webhook');
      await recallWorkers(tx);
      await this.#audit(tx, caller, 'webhook_deleted', id, removed.url);
      await jobs.enqueue(tx, purgeJob, { accountId: caller.accountId, endpointId: id });
    });
  }

  /** Deletes an account's webhooks, in the transaction that deletes the account. */
  async deleteOf(handle: Sql, accountId: string): Promise<void> {
    const { clock, jobs } = this.#deps;
    const tx = tables.in(handle);
    await q.removeEndpoints(tx, accountId);
    await recallWorkers(tx);
    await q.emptyKeys(tx, accountId, clock.now());
    await jobs.enqueue(tx, purgeJob, { accountId, endpointId: null });
  }

  /**
   * Makes the next secret or, with `v1a`, the account's next key; the old one signs beside it until the overlap ends.
   * @throws {AppError} not_found
   */
  async rotate(caller: Principal, id: string, hours: number): Promise<Shown> {
    const { db, clock, random, secrets, limits, keys } = this.#deps;
    await limits.take(policies.webhook_changes, caller.accountId);
    const secret = random.bytes(SECRET_BYTES);
    const until = new Date(clock.now().getTime() + hours * HOUR);
    const signature = await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await q.holdEndpoint(tx, caller.accountId, id);
      if (!held) throw notFound('Webhook');
      if (held.signature === 'v1a') await keys.rotate(tx, caller.accountId, until);
      if (held.signature === 'v1' || held.lost)
        await q.takeNextSecret(tx, caller.accountId, id, { secret: secrets.seal(secret, SECRET_PURPOSE), until });
      await this.#audit(tx, caller, 'webhook_secret_rotated', id);
      return held.signature;
    });
    keys.forget(caller.accountId);
    const webhook = await this.get(caller.accountId, id);
    return { webhook, secret: signature === 'v1' ? secretText(secret) : null };
  }

  #check(url: string): void {
    const problem = urlProblem(url, this.#deps.egress.rules);
    if (problem) throw invalidField('url', problem);
  }

  async #view(accountId: string, row: q.EndpointRow): Promise<EndpointView> {
    const { clock, keys, publicUrl } = this.#deps;
    const { days, previous_until, slow, ...rest } = row;
    const now = clock.now();
    const [key, retiring] = row.signature === 'v1a' ? await keys.signing(accountId) : [];
    const until = key ? retiring?.until : previous_until;
    return {
      ...rest,
      public_key: key ? publicKeyText(key.publicKey) : null,
      jwks_url: key ? `${publicUrl}/api/webhook-keys/${accountId}` : null,
      rotates_until: until && until > now ? until : null,
      is_slow: slow,
      days: Array.from({ length: 7 }, (_, i) => {
        const day = q.dayBefore(now, 6 - i);
        return { day, delivered: days?.[day]?.delivered ?? 0, failed: days?.[day]?.failed ?? 0 };
      }),
    };
  }
}

const switchedTo = (on: boolean, now: Date) => ({
  enabled: on,
  disabled_reason: on ? null : ('owner' as const),
  disabled_at: on ? null : now,
});

/** The fields that a form has. */
const given = <Form extends object>(form: Form) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as Form;

/** An access token that may not read customers must not have them sent to itself. */
export function mayHavePersonal(caller: Principal, personal: boolean): void {
  if (personal) assertMayRead(caller, 'people');
}

/** The same for events that name codes. */
function mayHaveCodes(caller: Principal, patterns: readonly string[], included: boolean): void {
  if (!included) return;
  const wanted = new Set(patterns);
  if (typesFor(caller).some((type) => namesCode(type) && patternsFor(type).some((each) => wanted.has(each))))
    assertMayRead(caller, 'codes');
}
