import { sql } from 'kysely';
import { findNamedProduct } from '#features/products';
import { findInText } from '#features/serials';
import type { Clock } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import type { Random } from '#platform/random.ts';
import type { Activate } from '../calls/activate.call.ts';
import type { Deactivate } from '../calls/deactivate.call.ts';
import type { License, Licenses } from '../calls/find-license.ts';
import { type Validate, ValidateBody } from '../calls/validate.call.ts';
import type { Refusals } from '../refusals/refusals.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { assertRules } from '../rules/license-rules.ts';
import { type LicenseAnswer, LicenseRefusal, seatsOf } from '../rules/license-status.ts';
import { answerTestSerial } from '../rules/test-serials.ts';
import { type LicensingDb, tables } from '../tables.ts';
import { activationOf, type LegacyForm, type LegacyMachine, machineOf } from './legacy-form.ts';

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
const NO_ID = '-';

const seatsLike = tables.named(
  'seats_like',
  (_, developerId: string, codeKey: string, id: string, core: string) => sql<Columns<'activations', 'machine_id'>>`
    select a.machine_id from serials s
    join activations a on a.developer_id = ${developerId}::uuid and a.serial_id = s.id and a.released_at is null
    where s.developer_id = ${developerId}::uuid and s.code_key = ${codeKey}::text
      and (a.machine_id = ${id}::text or position(${core}::text in lower(a.machine_id)) > 0)
    order by a.created_at, a.id limit 100`,
);

/** A serial that an import brought as one that had been given to a customer before. */
const soldElsewhere = tables.named('sold_elsewhere', (begin, developerId: string, serialId: string) =>
  begin
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .select('s.id')
    .where('s.developer_id', '=', developerId)
    .where('s.id', '=', serialId)
    .where('s.draw_id', '=', sql.ref<string>('b.import_id')),
);

const twoSeats = tables.named('two_seats', (begin, developerId: string, serialId: string) =>
  begin
    .selectFrom('activations')
    .select('machine_id')
    .where('developer_id', '=', developerId)
    .where('serial_id', '=', serialId)
    .where('released_at', 'is', null)
    .limit(sql.lit(2)),
);

/** The licensing calls for plugins that were made for another system; what they may do is decided by those of v1. */
export class LegacyCalls {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  get now(): Date {
    return this.#deps.clock.now();
  }

  /**
   * Activates a serial. One that was sold elsewhere and imported without an email address activates as before, because
   * these plugins send none. It stays without an owner until its customer redeems it.
   * @throws {LicenseRefusal}
   */
  async activate(
    caller: PluginCaller,
    code: string | undefined,
    machine: string,
    form: LegacyForm,
    country: string | null,
  ): Promise<LicenseAnswer> {
    const product_id = await this.#product(caller, form);
    const known = machineOf(machine);
    const about = { email: form.email || null, label: form.label || null };
    const asked = activationOf({ license_key: code, machine_id: known.id, product_id, ...about });
    const [first = known.id, ...others] = await this.#seatsAs(caller, asked.license_key, known);
    // Software License Manager: a domain that has moved brings its seat along
    const moved = form.migrate_from ? await this.#seatsAs(caller, asked.license_key, machineOf(form.migrate_from)) : [];
    const mayLackOwner = async ({ developer_id, serial_id }: License) =>
      (await soldElsewhere(this.#deps.db, developer_id, serial_id)).length > 0;
    // a seat keeps its spelling, which is no new machine; others of the same one were taken by mistake
    const named = { ...asked, machine_id: first, old_machine_ids: [...others, ...moved], mayLackOwner };
    return this.#deps.activate.answer(caller, named, country);
  }

  /** Whether a machine has its seat, under any of its spellings. @throws {LicenseRefusal} */
  async validate(
    caller: PluginCaller,
    code: string | undefined,
    machine: string,
    form: LegacyForm,
  ): Promise<LicenseAnswer> {
    const product_id = await this.#product(caller, form);
    const known = machineOf(machine);
    const asked = ValidateBody.safeParse({ license_key: codeIn(code), machine_id: known.id, product_id });
    if (!asked.success) throw new LicenseRefusal('invalid_request', asked.error.issues[0]?.message);
    const [first = known.id] = await this.#seatsAs(caller, codeIn(code), known);
    return this.#deps.validate.answer(caller, { ...asked.data, machine_id: first });
  }

  /** Frees the seats of all spellings of a machine. @throws {LicenseRefusal} */
  async deactivate(caller: PluginCaller, code: string | undefined, machine: string): Promise<LicenseAnswer> {
    const license_key = codeIn(code);
    const known = machineOf(machine);
    const [first = known.id, ...others] = await this.#seatsAs(caller, license_key, known);
    let answer = await this.#deps.deactivate.answer(caller, { license_key, machine_id: first });
    for (const machine_id of others) answer = await this.#deps.deactivate.answer(caller, { license_key, machine_id });
    return answer;
  }

  /**
   * Frees the only seat of a license, for plugins that name no machine. If a license has several seats, none is the
   * caller's for sure: anyone who knows a code could otherwise take the seats of all its machines.
   * @throws {LicenseRefusal}
   */
  async deactivateOnly(caller: PluginCaller, code: string | undefined): Promise<LicenseAnswer> {
    const { db, licenses, deactivate } = this.#deps;
    const license_key = codeIn(code);
    if (answerTestSerial(license_key, caller)) return deactivate.answer(caller, { license_key, machine_id: NO_ID });
    const { serial_id } = await licenses.find(caller, license_key, NO_ID);
    const [only, another] = await twoSeats(db, caller.developerId, serial_id);
    if (!only) throw new LicenseRefusal('not_activated');
    if (another) throw new LicenseRefusal('invalid_request', 'Send the token that the activation answered.');
    return deactivate.answer(caller, { license_key, machine_id: only.machine_id });
  }

  /** How a license is, without a machine. @throws {LicenseRefusal} */
  async look(caller: PluginCaller, code: string | undefined, form: LegacyForm): Promise<LicenseAnswer> {
    const { licenses, clock, refusals } = this.#deps;
    const license_key = codeIn(code);
    const test = answerTestSerial(license_key, caller);
    if (test) return test;
    const productId = await this.#product(caller, form);
    const license = await licenses.find(caller, license_key, NO_ID);
    try {
      assertRules(license, { now: clock.now(), productId, emailKey: null });
    } catch (error) {
      throw refusals.noted(error, 'validate', license, { machine_id: NO_ID, version: null });
    }
    return { ok: true, status: 'active', ...seatsOf(license) };
  }

  /** The seats of a license that was refused; undefined of one that must not be told about. */
  async facts(caller: PluginCaller, code: string | undefined, machine: string): Promise<LicenseAnswer | undefined> {
    try {
      const license_key = codeIn(code);
      const known = machineOf(machine);
      const [first = known.id] = await this.#seatsAs(caller, license_key, known);
      const license = await this.#deps.licenses.find(caller, license_key, first || NO_ID);
      return { ok: false, status: 'active', ...seatsOf(license) };
    } catch (error) {
      if (error instanceof LicenseRefusal) return undefined;
      throw error;
    }
  }

  /** A machine id for an activation that names none. Anyone who has it can give the seat back. */
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

  /** The seats of a license that a machine has, as they are spelled; the one under its id first. */
  async #seatsAs({ developerId }: PluginCaller, code: string, machine: LegacyMachine): Promise<string[]> {
    const { db } = this.#deps;
    const seats = await findInText(code, async (codeKey) => {
      const found = await seatsLike(db, developerId, codeKey, machine.id, machine.core);
      return found.length > 0 ? found : undefined;
    });
    const ids = (seats ?? []).map(({ machine_id }) => machine_id).filter((id) => machine.isSpelled(id));
    return ids.sort((one, other) => Number(other === machine.id) - Number(one === machine.id));
  }
}

/** @throws {LicenseRefusal} invalid_request */
function codeIn(code: string | undefined): string {
  return activationOf({ license_key: code, machine_id: NO_ID, product_id: null }).license_key;
}
