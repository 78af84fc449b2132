import { findNamedProduct } from '#features/products';
import type { Clock } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import type { Activate } from '../calls/activate.call.ts';
import type { Deactivate } from '../calls/deactivate.call.ts';
import type { Licenses } from '../calls/find-license.ts';
import { type Validate, ValidateBody } from '../calls/validate.call.ts';
import type { Refusals } from '../refusals/refusals.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { type LicenseAnswer, seatsOf } from '../rules/license-answer.ts';
import { assertRules } from '../rules/license-rules.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { answerTestSerial } from '../rules/test-serials.ts';
import type { LicensingDb } from '../tables.ts';
import { activationOf, type LegacyForm, machinesOf } from './legacy-form.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  licenses: Licenses;
  refusals: Refusals;
  activate: Activate;
  validate: Validate;
  deactivate: Deactivate;
}

/** No machine has it: for questions about a license alone. */
const NOBODY = '-';

/** The licensing calls for plugins that were made for another system; what they may do is decided by those of v1. */
export class LegacyCalls {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {LicenseRefusal} */
  async activate(
    caller: PluginCaller,
    code: string | undefined,
    machine: string,
    form: LegacyForm,
    country: string | null,
  ): Promise<LicenseAnswer> {
    const product_id = await this.#product(caller, form);
    const { email } = form;
    const asked = activationOf({ license_key: code, machines: machinesOf(machine), product_id, email });
    return this.#deps.activate.answer(caller, asked, country);
  }

  /** Whether a machine has its seat, under any of its spellings. @throws {LicenseRefusal} */
  async validate(
    caller: PluginCaller,
    code: string | undefined,
    machine: string,
    form: LegacyForm,
  ): Promise<LicenseAnswer> {
    const product_id = await this.#product(caller, form);
    return this.#underAnyName(machine, (machine_id) => {
      const asked = ValidateBody.safeParse({ license_key: codeIn(code), machine_id, product_id });
      if (!asked.success) throw new LicenseRefusal('invalid_request', asked.error.issues[0]?.message);
      return this.#deps.validate.answer(caller, asked.data);
    });
  }

  /** @throws {LicenseRefusal} */
  deactivate(caller: PluginCaller, code: string | undefined, machine: string): Promise<LicenseAnswer> {
    const license_key = codeIn(code);
    return this.#underAnyName(machine, (machine_id) =>
      this.#deps.deactivate.answer(caller, { license_key, machine_id }),
    );
  }

  /** How a license is, without a machine. @throws {LicenseRefusal} */
  async look(caller: PluginCaller, code: string | undefined, form: LegacyForm): Promise<LicenseAnswer> {
    const { licenses, clock, refusals } = this.#deps;
    const license_key = codeIn(code);
    const test = answerTestSerial(license_key, caller);
    if (test) return test;
    const productId = await this.#product(caller, form);
    const license = await licenses.find(caller, license_key, NOBODY);
    try {
      assertRules(license, { now: clock.now(), productId, emailKey: null });
    } catch (error) {
      throw refusals.noted(error, 'validate', license, { machine_id: NOBODY, version: null });
    }
    return { ok: true, status: 'active', ...seatsOf(license) };
  }

  /** A machine for an activation that names none; whoever has it can give the seat back. */
  newToken(): string {
    return this.#deps.random.bytes(20).toString('hex');
  }

  /** The maker's rewrite may name the product by its id, and a plugin by its name. @throws {LicenseRefusal} */
  async #product({ developerId }: PluginCaller, form: LegacyForm): Promise<string | null> {
    if (form.product_id) return form.product_id;
    if (!form.item_name) return null;
    const found = await findNamedProduct(this.#deps.db, developerId, form.item_name.slice(0, 200));
    if (!found) throw new LicenseRefusal('product_mismatch');
    return found.id;
  }

  async #underAnyName(machine: string, ask: (id: string) => Promise<LicenseAnswer>): Promise<LicenseAnswer> {
    let missing: unknown = new LicenseRefusal('not_activated');
    for (const id of machinesOf(machine)) {
      try {
        return await ask(id);
      } catch (error) {
        if (!(error instanceof LicenseRefusal && error.status === 'not_activated')) throw error;
        missing = error;
      }
    }
    throw missing;
  }
}

/** @throws {LicenseRefusal} invalid_request */
function codeIn(code: string | undefined): string {
  return activationOf({ license_key: code, machines: [NOBODY], product_id: null, email: undefined }).license_key;
}
