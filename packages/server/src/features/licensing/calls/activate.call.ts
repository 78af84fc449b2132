import type { Redemptions } from '#features/redemption';
import type { Clock } from '#platform/clock.ts';
import type { CountryOf } from '#platform/network/geo.ts';
import type { Random } from '#platform/random.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Refusals } from '../refusals/refusals.ts';
import { forms, type PluginRoute, pluginConfig, sameAnswer } from '../requests/plugin-call.http.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { ActivateBody } from '../rules/activate-body.ts';
import { assertRules } from '../rules/license-rules.ts';
import { type LicenseAnswer, LicenseRefusal, seatsOf } from '../rules/license-status.ts';
import { type Newcomer, type SeatedSerial, takeSeat, takeSeatSoon } from '../seats/take.ts';
import type { Visits } from '../seats/visits.ts';
import { type LicensingDb, tables } from '../tables.ts';
import type { TokenIssuer } from '../tokens/license-token.ts';
import type { TestTokens } from '../tokens/test-tokens.ts';
import { isAnySeated, type License, type Licenses, serialOf, subjectOf } from './find-license.ts';
import { redeemFirst } from './first-redemption.ts';
import { type MachineForm, newcomerOf, othersOf } from './newcomer.ts';

export const activateRoute =
  (activate: Activate, countryOf: CountryOf): PluginRoute =>
  (app, callerOf) =>
    app.post(
      '/api/license/v1/activate',
      {
        config: pluginConfig,
        schema: {
          operationId: 'activateLicense',
          tags: ['licensing'],
          summary: 'Activate a machine: give it a seat',
          consumes: forms,
          body: ActivateBody,
          response: sameAnswer,
        },
      },
      async (request) => activate.answer(await callerOf(request), request.body, countryOf(request)),
    );

/** Only plugins that report a machine's name and operating system fill these in. */
export type ActivateForm = MachineForm &
  Pick<ActivateBody, 'license_key' | 'product_id' | 'email'> & {
    /** Whether a serial without an owner takes a seat without becoming somebody's; without this none does. */
    mayLackOwner?: (license: License) => Promise<boolean>;
  };

/** A machine's seat, and the response for the machine. */
export interface HeldSeat extends SeatedSerial {
  productId: string;
  answer: LicenseAnswer;
}

const emailOf = tables.named('owner_email', (begin, developerId: string, customerId: string) =>
  begin
    .selectFrom('customers')
    .select('email_key')
    .where('developer_id', '=', developerId)
    .where('id', '=', customerId),
);

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  licenses: Licenses;
  visits: Visits;
  tokens: TokenIssuer;
  testTokens: TestTokens;
  redemptions: Redemptions;
  refusals: Refusals;
}

/** Gives a machine a seat. */
export class Activate {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Gives a machine a seat, or answers what a test serial represents.
   * @throws {LicenseRefusal}
   */
  async answer(caller: PluginCaller, form: ActivateForm, country: string | null): Promise<LicenseAnswer> {
    const test = this.#deps.testTokens.answer(caller, form.license_key, form);
    return test ?? (await this.takeSeat(caller, form, country)).answer;
  }

  /**
   * Gives a machine a seat; not for test serials. Repeating the call for the same machine returns the same result and
   * takes no other seat, even if its id has changed and the call names the old one. It ends a lease, because the
   * machine is online. The first activation of a serial without an owner redeems it and requires the owner's email
   * address.
   * @throws {LicenseRefusal}
   */
  async takeSeat(caller: PluginCaller, form: ActivateForm, country: string | null): Promise<HeldSeat> {
    const { licenses, refusals } = this.#deps;
    const license = await licenses.find(caller, form.license_key, form.machine_id, form.old_machine_ids);
    try {
      return await this.#hold(license, form, country);
    } catch (error) {
      throw refusals.noted(error, 'activate', license, form);
    }
  }

  async #hold(license: License, form: ActivateForm, country: string | null): Promise<HeldSeat> {
    const { db, clock, visits, tokens } = this.#deps;
    const { email } = form;
    if (email !== null) license.owner_email_key = await this.#ownerOf(license);
    assertRules(license, {
      now: clock.now(),
      productId: form.product_id,
      emailKey: email === null ? null : emailKey(email),
    });
    if (license.redeemed_at === null && email === null && !(await form.mayLackOwner?.(license)))
      throw new LicenseRefusal('email_required');
    const token = await tokens.issue(subjectOf(license, form.machine_id), license);
    const isKnown = knowsAll(license, form) && !(await isAnySeated(db, license, othersOf(license, form)));
    if (isKnown) visits.note(license, form.version, token);
    const seats = isKnown
      ? license
      : await this.#seat(license, newcomerOf(license, form, token, this.#deps), email, country);
    return {
      ...serialOf(license),
      productId: license.product_id,
      answer: { ok: true, status: 'active', validation_token: token, ...seatsOf(seats) },
    };
  }

  async #ownerOf({ developer_id, customer_id }: License): Promise<string | null> {
    if (customer_id === null) return null;
    const [owner] = await emailOf(this.#deps.db, developer_id, customer_id);
    return owner?.email_key ?? null;
  }

  async #seat(
    license: License,
    newcomer: Newcomer & { oldMachineIds: readonly string[] },
    email: string | null,
    country: string | null,
  ) {
    const { db, redemptions } = this.#deps;
    if (license.redeemed_at === null && email !== null) {
      const { first, seat } = await db.work({ tx: true }, async (tx) => ({
        first: await redeemFirst(redemptions, tx, license, email, country),
        seat: await takeSeat(tx, newcomer),
      }));
      if (first) redemptions.figures.redeemed('activation');
      return seat;
    }
    const isNew = license.activation_id === null && newcomer.oldMachineIds.length === 0;
    if (isNew) return takeSeatSoon(db, newcomer);
    return db.work({ tx: true, named: true }, (tx) => takeSeat(tx, newcomer));
  }
}

/**
 * Whether the machine has its seat and reports nothing new about itself. A leased seat expires on its own unless its
 * machine is seen, so that has to be written at once.
 */
function knowsAll(license: License, form: ActivateForm): boolean {
  const seated = license.activation_id !== null && license.released_at === null && license.leased_until === null;
  const changes = (fact: 'version' | 'label' | 'os') => (form[fact] ?? license[fact]) !== license[fact];
  return seated && !changes('version') && !changes('label') && !changes('os');
}
