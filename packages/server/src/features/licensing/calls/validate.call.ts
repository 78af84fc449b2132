import { sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import type { Refusals } from '../refusals/refusals.ts';
import { forms, neverBlockedConfig, type PluginRoute, sameAnswer } from '../requests/plugin-call.http.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { MachineId, note, OptionalLicenseKey, ProductText, ValidationToken } from '../rules/license-fields.ts';
import { assertRules } from '../rules/license-rules.ts';
import { type LicenseAnswer, LicenseRefusal, seatsOf } from '../rules/license-status.ts';
import { notedSeen, seenColumns } from '../seats/noted.ts';
import type { Visits } from '../seats/visits.ts';
import { type LicensingDb, tables } from '../tables.ts';
import type { TokenIssuer } from '../tokens/license-token.ts';
import type { TestTokens } from '../tokens/test-tokens.ts';
import { type License, type Licenses, subjectOf } from './find-license.ts';
import type { Trials } from './trial.call.ts';

/** Unknown fields are ignored: shipped plugins must keep working with what they send. */
export const ValidateBody = z
  .object({
    license_key: OptionalLicenseKey.describe(
      'Optional for a trial, which is identified by product_id and validation_token.',
    ),
    machine_id: MachineId,
    product_id: ProductText,
    version: note(),
    validation_token: ValidationToken,
  })
  .meta({ id: 'ValidateLicense' });
export type ValidateBody = z.output<typeof ValidateBody>;

export const validateRoute =
  (validate: Validate): PluginRoute =>
  (app, callerOf) =>
    app.post(
      '/api/license/v1/validate',
      {
        config: neverBlockedConfig,
        schema: {
          operationId: 'validateLicense',
          tags: ['licensing'],
          summary: 'Validate a machine’s activation',
          consumes: forms,
          body: ValidateBody,
          response: sameAnswer,
        },
      },
      async (request) => validate.answer(await callerOf(request), request.body),
    );

const endLease = tables.named(
  'end_lease',
  (_, developerId: string, id: string, now: Date) => sql<Columns<'activations', 'machine_id'>>`
    with known as materialized (select * from (
      select id, version, os, last_seen_at from activations
      where developer_id = ${developerId} and id = ${id} and released_at is null for no key update) locked
    ), kept as (
      update activations a set last_seen_at = greatest(a.last_seen_at, ${now}),
        leased_until = case when a.leased_until > ${now} then a.leased_until end
      from known k where a.developer_id = ${developerId} and a.id = k.id returning ${seenColumns}
    ), ${notedSeen(sql`${developerId}`, 'kept')}
    select machine_id from kept`,
);

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  licenses: Licenses;
  visits: Visits;
  tokens: TokenIssuer;
  testTokens: TestTokens;
  trials: Trials;
  refusals: Refusals;
}

/**
 * Whether this machine may keep running. One lookup, and no write except the first after a lease. Independent of plans,
 * cards and bills.
 */
export class Validate {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {LicenseRefusal} */
  async answer(caller: PluginCaller, form: ValidateBody): Promise<LicenseAnswer> {
    const { trials, testTokens, licenses, refusals } = this.#deps;
    if (form.license_key === null) return trials.validate(caller, form);
    const test = testTokens.answer(caller, form.license_key, form);
    if (test) return test;
    const license = await licenses.find(caller, form.license_key, form.machine_id);
    try {
      return await this.#answer(license, form);
    } catch (error) {
      throw refusals.noted(error, 'validate', license, form);
    }
  }

  /**
   * Answers with a fresh token when none was sent, less than half of the old one's lifetime is left, or the
   * product's choice has changed since.
   */
  async #answer(license: License, form: ValidateBody): Promise<LicenseAnswer> {
    const { clock, visits, tokens } = this.#deps;
    assertRules(license, { now: clock.now(), productId: form.product_id, emailKey: null });
    if (license.activation_id === null || license.released_at !== null) throw new LicenseRefusal('not_activated');
    if (license.leased_until !== null) await this.#endLease(license, license.activation_id, license.leased_until);
    const answer: LicenseAnswer = { ok: true, status: 'active', ...seatsOf(license) };
    const subject = subjectOf(license, form.machine_id);
    const sent = form.validation_token;
    const claims = sent && (await tokens.check(sent, subject, visits.newestTokens(license)));
    if (!claims || tokens.isWorn(claims) || tokens.isOutdated(claims, license)) {
      answer.validation_token = await tokens.issue(subject, license);
    }
    visits.note(license, form.version, answer.validation_token);
    return answer;
  }

  /**
   * A machine allowed to continue after its lease keeps its seat: if this were recorded later, the seat could be freed
   * first.
   * @throws {LicenseRefusal} not_activated when that has already happened.
   */
  async #endLease({ developer_id }: License, id: string, until: Date): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    if (until > now) return;
    const kept = await endLease(db, developer_id, id, now);
    if (kept.length === 0) throw new LicenseRefusal('not_activated');
  }
}
