import { type Clock, DAY, MINUTE } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log.ts';
import type { Random } from '../../platform/random.ts';
import { type Secrets, sameBytes, sha256 } from '../../platform/secrets.ts';
import { ShortCache } from '../../platform/short-cache.ts';
import { LateNotes } from '../../platform/throttle.ts';
import { Email } from '../accounts/index.ts';
import type { PluginKeys } from '../plugin-keys/index.ts';
import type { Redemptions } from '../redemption/index.ts';
import { serialKey } from '../serials/index.ts';
import { firstRefusal } from './license-rules.ts';
import { LicenseRefusal } from './license-status.ts';
import { CLOCK_SKEW, type LicenseClaims, machineHash, readToken, signToken, verifyToken } from './license-token.ts';
import { type BatchFacts, findBatchFacts, findSeat, type License, ownerOf } from './licensing.queries.ts';
import type { ActivateBody, DeactivateBody, LicenseAnswer, ValidateBody } from './licensing.schemas.ts';
import { SigningKeys } from './signing-keys.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  log: Logger;
  publicUrl: string;
  redemptions: Redemptions;
  pluginKeys: PluginKeys;
}

/** How a plugin shows who it is. */
export interface Credential {
  key: string;
  /** Sent by some clients beside the key, and then it has to fit. */
  developerId?: string;
}

interface Visit {
  at: Date;
  version: string | null;
}

/** Activate, validate, deactivate: what a plugin on stage depends on. */
export class Licensing {
  readonly #deps: Dependencies;
  readonly #keys: SigningKeys;
  readonly #seen: LateNotes<Visit>;
  readonly #batches: ShortCache<BatchFacts>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#keys = new SigningKeys(deps);
    this.#batches = new ShortCache(deps.clock);
    this.#seen = new LateNotes(
      MINUTE,
      async (notes) => {
        const visits = [...notes.values()];
        await deps.db.query(
          `update activations a set last_seen_at = greatest(a.last_seen_at, n.at), version = coalesce(n.version, a.version)
           from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as n (id, at, version) where a.id = n.id`,
          [[...notes.keys()], visits.map((visit) => visit.at), visits.map((visit) => visit.version)],
        );
      },
      (error) => deps.log.warn({ err: error }, 'the last visits of machines could not be noted'),
    );
  }

  /**
   * Gives a machine a seat. Asking again with the same machine answers the same and takes nothing; the first attach of
   * a serial that nobody owns is its redemption and needs the owner's address.
   * @throws {LicenseRefusal}
   */
  async activate(credential: Credential | null, form: ActivateBody, country: string | null): Promise<LicenseAnswer> {
    const license = await this.#license(credential, form.license_key, form.machine_id);
    const email = emailOf(form.email);
    await this.#holdToRules(license, form.product_id, email);
    if (license.redeemed_at === null && email === null) throw new LicenseRefusal('email_required');
    const token = await this.#newToken(license, form.machine_id);
    const seatsUsed = await this.#deps.db.transaction(async (tx) => {
      if (license.redeemed_at === null) await this.#redeem(tx, license, email as string, country);
      return this.#takeSeat(tx, license, form, sha256(token));
    });
    return {
      ok: true,
      status: 'active',
      validation_token: token,
      max_activations: license.max_activations,
      remaining: Math.max(0, license.max_activations - seatsUsed),
    };
  }

  /**
   * Says whether this machine may go on. One look-up, no write; a fresh token when none was sent or less than half of
   * the old one is left. Depends on no plan, card or bill.
   * @throws {LicenseRefusal}
   */
  async validate(credential: Credential | null, form: ValidateBody): Promise<LicenseAnswer> {
    const license = await this.#license(credential, form.license_key, form.machine_id);
    await this.#holdToRules(license, form.product_id, null);
    if (license.activation_id === null || license.released_at !== null) throw new LicenseRefusal('not_activated');
    const now = this.#deps.clock.now();
    this.#seen.note(license.activation_id, { at: now, version: form.version });
    const answer: LicenseAnswer = {
      ok: true,
      status: 'active',
      max_activations: license.max_activations,
      remaining: Math.max(0, license.max_activations - license.seats_used),
    };
    const seconds = now.getTime() / 1000;
    const claims = form.validation_token === null ? null : await this.#checkToken(license, form, seconds);
    if (claims === null || claims.exp - seconds < (claims.exp - claims.iat) / 2) {
      answer.validation_token = await this.#newToken(license, form.machine_id);
    }
    return answer;
  }

  /**
   * Frees the machine's seat, once. A machine without a seat is told so.
   * @throws {LicenseRefusal}
   */
  async deactivate(credential: Credential | null, form: DeactivateBody): Promise<LicenseAnswer> {
    const license = await this.#license(credential, form.license_key, form.machine_id);
    const [left] = await this.#deps.db.query<{ seats_used: number }>(
      `with gone as (
         update activations set released_at = $3, token_hash = null
         where serial_id = $1 and machine_id = $2 and released_at is null returning serial_id
       ) update serials s set seats_used = s.seats_used - 1 from gone where s.id = gone.serial_id returning s.seats_used`,
      [license.serial_id, form.machine_id, this.#deps.clock.now()],
    );
    if (!left) throw new LicenseRefusal('not_activated');
    return {
      ok: true,
      status: 'deactivated',
      max_activations: license.max_activations,
      remaining: Math.max(0, license.max_activations - left.seats_used),
    };
  }

  jwks(developerId: string) {
    return this.#keys.jwks(developerId);
  }

  close(): Promise<void> {
    return this.#seen.close();
  }

  async #license(credential: Credential | null, code: string, machineId: string): Promise<License> {
    const { db, pluginKeys } = this.#deps;
    const key = credential === null ? undefined : await pluginKeys.find(credential.key);
    if (!key || (credential?.developerId ?? key.developer_id) !== key.developer_id)
      throw new LicenseRefusal('unauthorized');
    const seat = await findSeat(db, serialKey(code), key.developer_id, machineId);
    const batch = seat && (await this.#batches.get(seat.batch_id, () => findBatchFacts(db, seat.batch_id)));
    if (!batch) throw new LicenseRefusal('not_found');
    return { ...seat, ...batch };
  }

  async #holdToRules(license: License, productId: string | null, email: string | null): Promise<void> {
    const emailKey = email?.toLowerCase() ?? null;
    // the owner is looked up only when an address has to be compared
    const owner =
      emailKey === null || license.customer_id === null ? null : await ownerOf(this.#deps.db, license.customer_id);
    const refusal = firstRefusal(
      { ...license, owner_email_key: owner },
      { now: this.#deps.clock.now(), productId, emailKey },
    );
    if (refusal) throw new LicenseRefusal(refusal);
  }

  async #redeem(tx: Tx, license: License, email: string, country: string | null): Promise<void> {
    const { outcome } = await this.#deps.redemptions.claim(tx, {
      serialId: license.serial_id,
      developerId: license.developer_id,
      email,
      source: 'activation',
      country,
    });
    if (outcome === 'quota_blocked') throw new LicenseRefusal('quota_blocked');
    if (outcome === 'redeemed') return;
    // somebody was faster: it goes on when that was the same person
    const [owner] = await tx.query<{ email_key: string | null }>(
      'select c.email_key from serials s left join customers c on c.id = s.customer_id where s.id = $1 and s.revoked_at is null',
      [license.serial_id],
    );
    // nobody was faster: the serial, its window or its product was closed in between
    if (!owner?.email_key) throw new LicenseRefusal('revoked');
    if (owner.email_key !== email.toLowerCase()) throw new LicenseRefusal('email_mismatch');
  }

  /**
   * The serial's row decides who gets the last seat: raising its count and writing the machine happen together or not
   * at all. Answers how many seats are taken then.
   */
  async #takeSeat(tx: Tx, license: License, form: ActivateBody, tokenHash: Buffer): Promise<number> {
    const now = this.#deps.clock.now();
    // the lock makes two calls of one machine follow each other
    const [serial] = await tx.query<{ seats_used: number; revoked_at: Date | null; max_activations: number }>(
      `select s.seats_used, s.revoked_at, p.max_activations
       from serials s join batches b on b.id = s.batch_id join products p on p.id = b.product_id
       where s.id = $1 for update of s`,
      [license.serial_id],
    );
    if (!serial || serial.revoked_at !== null) throw new LicenseRefusal('revoked');
    const kept = await tx.query(
      `update activations set last_seen_at = $3, version = coalesce($4, version), token_hash = $5
       where serial_id = $1 and machine_id = $2 and released_at is null returning id`,
      [license.serial_id, form.machine_id, now, form.version, tokenHash],
    );
    if (kept.length > 0) return serial.seats_used;
    const [taken] = await tx.query<{ seats_used: number }>(
      'update serials set seats_used = seats_used + 1 where id = $1 and seats_used < $2 returning seats_used',
      [license.serial_id, serial.max_activations],
    );
    if (!taken) throw new LicenseRefusal('seat_limit');
    await tx.query(
      `insert into activations (id, developer_id, serial_id, machine_id, version, created_at, last_seen_at, token_hash)
       values ($1, $2, $3, $4, $5, $6, $6, $7)
       on conflict (serial_id, machine_id) do update set released_at = null, last_seen_at = excluded.last_seen_at,
         version = coalesce(excluded.version, activations.version), token_hash = excluded.token_hash`,
      [this.#deps.random.id(), license.developer_id, license.serial_id, form.machine_id, form.version, now, tokenHash],
    );
    return taken.seats_used;
  }

  async #newToken(license: License, machineId: string): Promise<string> {
    const { clock, publicUrl } = this.#deps;
    const ring = await this.#keys.ring(license.developer_id);
    const iat = Math.floor(clock.now().getTime() / 1000);
    return signToken(
      {
        iss: publicUrl,
        sub: license.serial_id,
        aud: license.product_id,
        mid: machineHash(machineId),
        iat,
        exp: iat + (license.offline_days * DAY) / 1000,
        // serials have no end of their own after redemption
        lic: null,
      },
      ring.current,
    );
  }

  /** The newest token is known by its hash; any other one is verified by its signature. */
  async #checkToken(license: License, form: ValidateBody, seconds: number): Promise<LicenseClaims> {
    const token = form.validation_token as string;
    const known = license.token_hash !== null && sameBytes(license.token_hash, sha256(token));
    const claims = known
      ? readToken(token)
      : verifyToken(token, (await this.#keys.ring(license.developer_id)).publicKeys);
    const inTime = claims !== null && claims.exp + CLOCK_SKEW > seconds && claims.iat - CLOCK_SKEW <= seconds;
    // the hash stands in this machine's own row, so what the token says was true when it was issued
    const fits = inTime && (known || isFor(claims, license, form.machine_id));
    if (!fits) throw new LicenseRefusal('invalid_token');
    return claims;
  }
}

function isFor(claims: LicenseClaims, license: License, machineId: string): boolean {
  return claims.sub === license.serial_id && claims.aud === license.product_id && claims.mid === machineHash(machineId);
}

/** @throws {LicenseRefusal} invalid_request for what is no address. */
function emailOf(text: string | null): string | null {
  if (text === null) return null;
  const parsed = Email.safeParse(text);
  if (!parsed.success) throw new LicenseRefusal('invalid_request', 'email: Enter an e-mail address.');
  return parsed.data;
}
