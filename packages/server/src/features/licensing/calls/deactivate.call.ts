import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { forms, type PluginRoute, pluginConfig, sameAnswer } from '../requests/plugin-call.http.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { LicenseKey, MachineId } from '../rules/license-fields.ts';
import { type LicenseAnswer, LicenseRefusal, seatsOf } from '../rules/license-status.ts';
import { answerTestSerial } from '../rules/test-serials.ts';
import { freeSeat } from '../seats/take.ts';
import type { LicensingDb } from '../tables.ts';
import { type Licenses, serialOf } from './find-license.ts';

const DeactivateBody = z.object({ license_key: LicenseKey, machine_id: MachineId }).meta({ id: 'DeactivateLicense' });
type DeactivateBody = z.output<typeof DeactivateBody>;

export const deactivateRoute =
  (deactivate: Deactivate): PluginRoute =>
  (app, callerOf) =>
    app.post(
      '/api/license/v1/deactivate',
      {
        config: pluginConfig,
        schema: {
          operationId: 'deactivateLicense',
          tags: ['licensing'],
          summary: 'Release a machine’s seat',
          consumes: forms,
          body: DeactivateBody,
          response: sameAnswer,
        },
      },
      async (request) => deactivate.answer(await callerOf(request), request.body),
    );

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  licenses: Licenses;
}

/** Frees the machine's seat, once. */
export class Deactivate {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {LicenseRefusal} not_activated for a machine without a seat */
  async answer(caller: PluginCaller, form: DeactivateBody): Promise<LicenseAnswer> {
    const test = answerTestSerial(form.license_key, caller);
    if (test) return { ...test, status: 'deactivated', remaining: test.max_activations };
    const { db, clock, licenses } = this.#deps;
    const license = await licenses.find(caller, form.license_key, form.machine_id);
    const left = await db.work({ tx: true, named: true }, (tx) =>
      freeSeat(tx, serialOf(license), license.machine_id, clock.now()),
    );
    if (left === undefined) throw new LicenseRefusal('not_activated');
    return { ok: true, status: 'deactivated', ...seatsOf({ ...license, seats_used: left }) };
  }
}
