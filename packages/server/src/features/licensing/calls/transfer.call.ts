import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import type { Refusals } from '../refusals/refusals.ts';
import { forms, type PluginRoute, pluginConfig, sameAnswer } from '../requests/plugin-call.http.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { LicenseKey, MachineId, NewMachineId, note, ProductText, RequiredToken } from '../rules/license-fields.ts';
import { assertRules } from '../rules/license-rules.ts';
import { type LicenseAnswer, LicenseRefusal, seatsOf } from '../rules/license-status.ts';
import { isSameMachine } from '../rules/machine-ids.ts';
import { knownSpelling } from '../seats/seats.queries.ts';
import { moveSeat } from '../seats/take.ts';
import type { Visits } from '../seats/visits.ts';
import type { LicensingDb } from '../tables.ts';
import type { TokenIssuer } from '../tokens/license-token.ts';
import { type License, type Licenses, subjectOf } from './find-license.ts';
import { newcomerOf } from './newcomer.ts';

const TransferBody = z
  .object({
    license_key: LicenseKey,
    old_machine_id: MachineId,
    machine_id: NewMachineId,
    validation_token: RequiredToken.describe('The validation token of the old machine.'),
    product_id: ProductText,
    version: note(),
    label: note(),
    os: note(),
  })
  .refine((body) => !isSameMachine(body.old_machine_id, body.machine_id), {
    path: ['machine_id'],
    message: 'machine_id must differ from old_machine_id.',
  })
  .meta({ id: 'TransferLicense' });
type TransferBody = z.output<typeof TransferBody>;

export const transferRoute =
  (transfer: Transfer): PluginRoute =>
  (app, callerOf) =>
    app.post(
      '/api/license/v1/transfer',
      {
        config: pluginConfig,
        schema: {
          operationId: 'transferLicense',
          tags: ['licensing'],
          summary: 'Move a seat to a machine whose id has changed',
          description: 'Takes no extra seat. The old machine’s validation token proves that it held one.',
          consumes: forms,
          body: TransferBody,
          response: sameAnswer,
        },
      },
      async (request) => transfer.answer(await callerOf(request), request.body),
    );

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  licenses: Licenses;
  visits: Visits;
  tokens: TokenIssuer;
  refusals: Refusals;
}

/**
 * Moves the seat of a machine whose id has changed, for example because of a new network card, without taking another
 * one. The old machine's token proves that it had the seat.
 */
export class Transfer {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {LicenseRefusal} */
  async answer(caller: PluginCaller, form: TransferBody): Promise<LicenseAnswer> {
    const { licenses, refusals } = this.#deps;
    const license = await licenses.find(caller, form.license_key, form.old_machine_id);
    try {
      return await this.#answer(license, form);
    } catch (error) {
      throw refusals.noted(error, 'transfer', license, form);
    }
  }

  async #answer(license: License, form: TransferBody): Promise<LicenseAnswer> {
    const { db, clock, visits, tokens } = this.#deps;
    assertRules(license, { now: clock.now(), productId: form.product_id, emailKey: null });
    if (license.activation_id === null) throw new LicenseRefusal('not_activated');
    const old = subjectOf(license, form.old_machine_id);
    await tokens.check(form.validation_token, old, visits.newestTokens(license));
    const token = await tokens.issue(subjectOf(license, form.machine_id), license);
    const machine_id = await knownSpelling(db, license, form.machine_id);
    const newcomer = newcomerOf({ ...license, machine_id }, form, token, this.#deps);
    const seat = await db.work({ tx: true, named: true }, (tx) => moveSeat(tx, license.machine_id, newcomer));
    return { ok: true, status: 'active', validation_token: token, ...seatsOf(seat) };
  }
}
