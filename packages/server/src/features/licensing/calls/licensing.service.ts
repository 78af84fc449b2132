import type { Redemptions } from '#features/redemption';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, MINUTE } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Logger } from '#platform/log.ts';
import type { Random } from '#platform/random.ts';
import { type Secrets, sha256 } from '#platform/secrets/secrets.ts';
import type { Refusals, Refused } from '../refusals/refusals.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import type { ActivateBody } from '../rules/activate-body.ts';
import type { LicenseAnswer } from '../rules/license-answer.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { spellingsOf } from '../rules/machine-ids.ts';
import { answerTestSerial, testTokenOf } from '../rules/test-serials.ts';
import { knownSpelling } from '../seats/seats.queries.ts';
import { freeSeat, moveSeat, type Newcomer, type SeatedSerial, takeSeat, takeSeatAtOnce } from '../seats/take.ts';
import type { SigningKeys } from '../tokens/signing-keys.ts';
import { TestTokens } from '../tokens/test-tokens.ts';
import { type Subject, TokenIssuer } from '../tokens/token-issuer.ts';
import { LicenseLookup } from './find-license.ts';
import { redeemFirst } from './first-redemption.ts';
import { isAnySeated, type License } from './licensing.queries.ts';
import {
  type DeactivateBody,
  type TransferBody,
  type TrialBody,
  TrialQuestion,
  type ValidateBody,
} from './licensing.schemas.ts';
import { Trials } from './trials.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  log: Logger;
  publicUrl: string;
  redemptions: Redemptions;
  refusals: Refusals;
  keys: SigningKeys;
}

/** Only plugins that report a machine's name and operating system fill these in. */
export type ActivateForm = Omit<ActivateBody, 'label' | 'os' | 'old_machine_ids'> &
  Partial<Pick<ActivateBody, 'label' | 'os' | 'old_machine_ids'>> & {
    /** For a license file, which leases the seat: the existing lease is kept until then. */
    keepsLease?: boolean;
  };

interface Seats {
  max_activations: number;
  seats_used: number;
}

/** A machine's seat, and the response for the machine. */
export interface HeldSeat extends SeatedSerial {
  productId: string;
  answer: LicenseAnswer;
}

/** What a machine that holds a seat reports, and the newest token issued to it. */
interface Visit {
  developerId: string;
  at: Date;
  version: string | null;
  tokenHash: Buffer | null;
}

/** Activate, validate, deactivate, transfer, try: the calls that a plugin on stage depends on. */
export class Licensing {
  readonly #deps: Dependencies;
  readonly #tokens: TokenIssuer;
  readonly #trials: Trials;
  readonly #testTokens: TestTokens;
  readonly #seen: WriteBehind<Visit>;
  readonly #lookup: LicenseLookup;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#tokens = new TokenIssuer(deps);
    this.#trials = new Trials({ ...deps, tokens: this.#tokens });
    this.#testTokens = new TestTokens({ ...deps, tokens: this.#tokens });
    this.#lookup = new LicenseLookup(deps);
    this.#seen = new WriteBehind(
      MINUTE,
      async (notes) => {
        const visits = [...notes.values()];
        await deps.db.query(
          `update activations a set last_seen_at = greatest(a.last_seen_at, n.at), version = coalesce(n.version, a.version),
             token_hash = case when a.released_at is null then coalesce(n.token_hash, a.token_hash) end
           from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::bytea[], $5::uuid[])
             as n (id, at, version, token_hash, developer_id)
           where (a.developer_id, a.id) = (n.developer_id, n.id)`,
          [
            [...notes.keys()],
            visits.map((visit) => visit.at),
            visits.map((visit) => visit.version),
            visits.map((visit) => visit.tokenHash),
            visits.map((visit) => visit.developerId),
          ],
        );
      },
      (error) => deps.log.warn({ err: error }, 'the last visits of machines could not be noted'),
    );
  }

  /**
   * Gives a machine a seat, or answers what a test serial represents.
   * @throws {LicenseRefusal}
   */
  async activate(caller: PluginCaller, form: ActivateForm, country: string | null): Promise<LicenseAnswer> {
    return (await this.testAnswer(caller, form)) ?? (await this.takeSeat(caller, form, country)).answer;
  }

  /**
   * Gives a machine a seat; not for test serials. Repeating the call for the same machine returns the same result and
   * takes no other seat, even if its id has changed and the call names the old one. It ends a lease, because the
   * machine is online. The first activation of a serial without an owner redeems it and requires the owner's email
   * address.
   * @throws {LicenseRefusal}
   */
  async takeSeat(caller: PluginCaller, form: ActivateForm, country: string | null): Promise<HeldSeat> {
    const { license_key, machine_id, old_machine_ids, email } = form;
    const license = await this.#lookup.license(caller, license_key, machine_id, old_machine_ids);
    return this.#noted('activate', license, form, async () => {
      await this.#lookup.assertRules(license, form.product_id, email);
      if (license.redeemed_at === null && email === null) throw new LicenseRefusal('email_required');
      const token = await this.#newToken(license, form.machine_id);
      const held = (seats: Seats): HeldSeat => ({
        ...serialOf(license),
        productId: license.product_id,
        answer: { ok: true, status: 'active', validation_token: token, ...seatsOf(seats) },
      });
      if (knowsAll(license, form) && !(await isAnySeated(this.#deps.db, license, othersOf(license, form)))) {
        this.#visited(license, form.version, token);
        return held(license);
      }
      return held(await this.#seat(license, this.#newcomer(license, form, token), email, country));
    });
  }

  /**
   * Checks whether this machine may keep running. One lookup, and no write except the first after a lease. Issues a
   * fresh token when none was sent or less than half of the old one's lifetime is left. Independent of plans, cards and
   * bills.
   * @throws {LicenseRefusal}
   */
  async validate(caller: PluginCaller, form: ValidateBody): Promise<LicenseAnswer> {
    if (form.license_key === null) return this.#validateTrial(caller, form);
    const test = await this.testAnswer(caller, { ...form, license_key: form.license_key });
    if (test) return test;
    const license = await this.#lookup.license(caller, form.license_key, form.machine_id);
    return this.#noted('validate', license, form, async () => {
      await this.#lookup.assertRules(license, form.product_id, null);
      if (license.activation_id === null || license.released_at !== null) throw new LicenseRefusal('not_activated');
      await this.#endLease(license);
      const answer: LicenseAnswer = { ok: true, status: 'active', ...seatsOf(license) };
      const sent = form.validation_token;
      const newest = this.#newestTokens(license);
      const claims = sent && (await this.#tokens.check(sent, subjectOf(license, form.machine_id), newest));
      if (!claims || this.#tokens.isWorn(claims)) {
        answer.validation_token = await this.#newToken(license, form.machine_id);
      }
      this.#visited(license, form.version, answer.validation_token);
      return answer;
    });
  }

  /**
   * The result of activating or validating a test serial; null for any other serial.
   * @throws {LicenseRefusal} the status that the test serial represents
   */
  async testAnswer(
    caller: PluginCaller,
    form: { license_key: string; machine_id: string; product_id: string | null },
  ): Promise<LicenseAnswer | null> {
    const test = answerTestSerial(form.license_key, caller);
    const kind = test && testTokenOf(form.license_key);
    if (!kind) return test;
    const about = { developerId: caller.developerId, machineId: form.machine_id, productId: form.product_id };
    return { ...test, validation_token: await this.#testTokens.issue(kind, about) };
  }

  /**
   * Frees the machine's seat, once. Refused for a machine without a seat.
   * @throws {LicenseRefusal}
   */
  async deactivate(caller: PluginCaller, form: DeactivateBody): Promise<LicenseAnswer> {
    const test = answerTestSerial(form.license_key, caller);
    if (test) return { ...test, status: 'deactivated', remaining: test.max_activations };
    const license = await this.#lookup.license(caller, form.license_key, form.machine_id);
    const { db, clock } = this.#deps;
    const left = await db.rowTransaction((sql) => freeSeat(sql, serialOf(license), license.machine_id, clock.now()));
    if (left === undefined) throw new LicenseRefusal('not_activated');
    return { ok: true, status: 'deactivated', ...seatsOf({ ...license, seats_used: left }) };
  }

  /**
   * Moves the seat of a machine whose id has changed, for example because of a new network card, without taking another
   * one. The old machine's token proves that it had the seat.
   * @throws {LicenseRefusal}
   */
  async transfer(caller: PluginCaller, form: TransferBody): Promise<LicenseAnswer> {
    const license = await this.#lookup.license(caller, form.license_key, form.old_machine_id);
    return this.#noted('transfer', license, form, async () => {
      await this.#lookup.assertRules(license, form.product_id, null);
      if (license.activation_id === null) throw new LicenseRefusal('not_activated');
      const old = subjectOf(license, form.old_machine_id);
      await this.#tokens.check(form.validation_token, old, this.#newestTokens(license));
      const token = await this.#newToken(license, form.machine_id);
      const machine_id = await knownSpelling(this.#deps.db, license, form.machine_id);
      const newcomer = this.#newcomer({ ...license, machine_id }, form, token);
      const seat = await this.#deps.db.rowTransaction((sql) => moveSeat(sql, license.machine_id, newcomer));
      return { ok: true, status: 'active', validation_token: token, ...seatsOf(seat) };
    });
  }

  /**
   * Starts a trial on this machine, or returns the one that has already started.
   * @throws {LicenseRefusal}
   */
  async startTrial(caller: PluginCaller, form: TrialBody): Promise<LicenseAnswer> {
    const { developerId } = caller;
    const about = { developer_id: developerId, serial_id: null, product_id: form.product_id };
    await this.#lookup.assertSeated(caller.asker, () => this.#trials.isKnown(developerId, form));
    return this.#noted('trial', about, form, () => this.#trials.start(caller, form));
  }

  async #validateTrial(caller: PluginCaller, form: ValidateBody): Promise<LicenseAnswer> {
    const { developerId } = caller;
    const question = TrialQuestion.safeParse(form);
    if (!question.success) throw new LicenseRefusal('invalid_request', 'Enter your license key.');
    const about = { developer_id: developerId, serial_id: null, product_id: question.data.product_id };
    await this.#lookup.assertSeated(caller.asker, () => this.#trials.isKnown(developerId, question.data));
    return this.#noted('validate', about, form, () => this.#trials.validate(developerId, question.data));
  }

  /** The key that signs a developer's answers. */
  async signerOf(developerId: string) {
    const { current } = await this.#deps.keys.ring(developerId);
    return { ...current, now: this.#deps.clock.now() };
  }

  jwks(developerId: string) {
    return this.#deps.keys.jwks(developerId);
  }

  close(): Promise<void> {
    return this.#seen.close();
  }

  async #seat(
    license: License,
    newcomer: Newcomer & { oldMachineIds: readonly string[] },
    email: string | null,
    country: string | null,
  ) {
    const { db, redemptions } = this.#deps;
    if (license.redeemed_at === null) {
      const { first, seat } = await db.transaction(async (tx) => ({
        first: await redeemFirst(redemptions, tx, license, email as string, country),
        seat: await takeSeat(tx, newcomer),
      }));
      if (first) redemptions.figures.redeemed('activation');
      return seat;
    }
    const isNew = license.activation_id === null && newcomer.oldMachineIds.length === 0;
    const atOnce = isNew ? await takeSeatAtOnce(db, newcomer) : undefined;
    return atOnce ?? db.rowTransaction((sql) => takeSeat(sql, newcomer));
  }

  /** Runs the call and records a refusal for the developer to see. What does not exist is nobody's to see. */
  async #noted<Answer>(
    action: Refused['action'],
    about: { developer_id: string; serial_id: string | null; product_id: string; is_draft?: boolean },
    form: { machine_id: string; version: string | null },
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      // to a plugin a draft does not exist; its developer has to know what to mend
      const status =
        error instanceof LicenseRefusal && (error.status === 'not_found' && about.is_draft ? 'draft' : error.status);
      if (status && status !== 'not_found') {
        this.#deps.refusals.note({
          developerId: about.developer_id,
          action,
          status,
          serialId: about.serial_id,
          productId: about.product_id,
          machineId: form.machine_id,
          version: form.version,
        });
      }
      throw error;
    }
  }

  /**
   * A machine allowed to continue after its lease keeps its seat: if this were recorded later, the seat could be freed
   * first.
   * @throws {LicenseRefusal} not_activated when that has already happened.
   */
  async #endLease({ developer_id, activation_id: id, leased_until: until }: License): Promise<void> {
    const now = this.#deps.clock.now();
    if (until === null || until > now) return;
    const kept = await this.#deps.db.query(
      `update activations set last_seen_at = greatest(last_seen_at, $2),
         leased_until = case when leased_until > $2 then leased_until end
       where developer_id = $3 and id = $1 and released_at is null returning id`,
      [id, now, developer_id],
    );
    if (kept.length === 0) throw new LicenseRefusal('not_activated');
  }

  #visited(
    { developer_id: developerId, activation_id: id }: License,
    version: string | null,
    token: string | undefined,
  ): void {
    if (id === null) return;
    const before = this.#seen.waiting(id);
    this.#seen.note(id, {
      developerId,
      at: this.#deps.clock.now(),
      version: version ?? before?.version ?? null,
      tokenHash: token === undefined ? (before?.tokenHash ?? null) : sha256(token),
    });
  }

  /** The hashes of the newest tokens issued to this machine: those in its row, and those not written yet. */
  #newestTokens({ activation_id: id, token_hash: written }: License): Buffer[] {
    const waiting = id === null ? null : this.#seen.waiting(id)?.tokenHash;
    return [written, waiting].filter((hash) => hash != null);
  }

  #newcomer(
    license: License,
    form: Pick<ActivateForm, 'machine_id' | 'version' | 'label' | 'os' | 'old_machine_ids' | 'keepsLease'>,
    token: string,
  ): Newcomer & { oldMachineIds: readonly string[] } {
    return {
      id: this.#deps.random.id(),
      developerId: license.developer_id,
      serialId: license.serial_id,
      machineId: license.machine_id,
      version: form.version,
      label: form.label ?? null,
      os: form.os ?? null,
      tokenHash: sha256(token),
      oldMachineIds: othersOf(license, form),
      keepsLease: form.keepsLease ?? false,
      now: this.#deps.clock.now(),
    };
  }

  #newToken(license: License, machineId: string): Promise<string> {
    return this.#tokens.issue(subjectOf(license, machineId), license.offline_days);
  }
}

/** Other ids of the same machine, in all their spellings and without its current one. */
function othersOf(
  license: License,
  { machine_id, old_machine_ids = [] }: Pick<ActivateForm, 'machine_id' | 'old_machine_ids'>,
): string[] {
  // should the same machine have taken a seat for each spelling, one is enough
  const all = new Set([...old_machine_ids, machine_id].flatMap(spellingsOf));
  if (old_machine_ids.length === 0) return [];
  all.delete(license.machine_id);
  return [...all];
}

function serialOf(license: License): SeatedSerial {
  return { developerId: license.developer_id, serialId: license.serial_id };
}

function subjectOf(license: License, machineId: string): Subject {
  return {
    developerId: license.developer_id,
    id: license.serial_id,
    productId: license.product_id,
    machineId,
  };
}

/**
 * Whether the machine has its seat and reports nothing new about itself. A leased seat expires on its own unless its
 * machine is seen, so that has to be written at once.
 */
function knowsAll(license: License, form: ActivateForm): boolean {
  const seated = license.activation_id !== null && license.released_at === null && license.leased_until === null;
  const tells = (fact: 'version' | 'label' | 'os') => (form[fact] ?? license[fact]) !== license[fact];
  return seated && !tells('version') && !tells('label') && !tells('os');
}

function seatsOf({ max_activations, seats_used }: Seats) {
  return { max_activations, remaining: Math.max(0, max_activations - seats_used) };
}
