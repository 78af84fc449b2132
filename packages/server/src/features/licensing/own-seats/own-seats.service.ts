import type { Clock } from '#platform/clock.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import { type License, type Licenses, serialOf, subjectOf } from '../calls/find-license.ts';
import type { DeviceCodes } from '../device-codes/device-codes.service.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { assertRules } from '../rules/license-rules.ts';
import { type LicenseAnswer, LicenseRefusal, seatsOf } from '../rules/license-status.ts';
import { isSameMachine, shownOf } from '../rules/machine-ids.ts';
import { holdSerial } from '../seats/take.queries.ts';
import { freeSeat } from '../seats/take.ts';
import type { Visits } from '../seats/visits.ts';
import type { LicensingDb } from '../tables.ts';
import type { TokenIssuer } from '../tokens/license-token.ts';
import type { ListSeatsBody, ReleaseSeatBody, SeatList } from './own-seats.schemas.ts';
import type { SeatCodes } from './seat-codes.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  licenses: Licenses;
  visits: Visits;
  tokens: TokenIssuer;
  deviceCodes: DeviceCodes;
  seatCodes: SeatCodes;
}

/** A license whose seats somebody may see. */
interface Shown {
  license: License;
  /** Whether the owner asks, who may release all of them. */
  isOwners: boolean;
}

/** The seats of a license as a plugin shows and releases them (decision 0122). */
export class OwnSeats {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Answers the same whether or not there is such a license, and whether or not an email was sent. What does not exist
   * counts as a guess all the same.
   */
  async sendCode(
    caller: PluginCaller,
    form: { license_key: string; machine_id: string; product_id: string | null },
  ): Promise<LicenseAnswer> {
    const { seatCodes } = this.#deps;
    await caller.asker?.begins('seat_code');
    const license = await this.#known(caller, form.license_key, form.machine_id);
    const isIts = license !== null && (form.product_id ?? license.product_id).toLowerCase() === license.product_id;
    if (isIts && license.customer_id !== null && license.revoked_at === null) {
      await seatCodes.send({ ...serialOf(license), customerId: license.customer_id, machineId: form.machine_id });
    }
    return { ok: true, status: 'code_sent' };
  }

  /** @throws {LicenseRefusal} code_required, code_expired, invalid_token, or why the license is not good */
  async list(caller: PluginCaller, form: ListSeatsBody): Promise<SeatList> {
    const { license } = await this.#shown(caller, form);
    const seats = await this.#seatsOf(license);
    return {
      ok: true,
      status: 'seats',
      seats: seats.map(({ machine_id, label, ...seat }) => ({
        ...seat,
        name: label,
        machine: shownOf(machine_id),
        is_this: isSameMachine(machine_id, form.machine_id),
      })),
      ...seatsOf(license),
    };
  }

  /**
   * Frees a seat, once. A machine's own one needs no more than a look at the list; another's needs the owner.
   * @throws {LicenseRefusal} not_activated for a seat that is free or another license's; leased; or as {@link list}
   */
  async release(caller: PluginCaller, form: ReleaseSeatBody): Promise<LicenseAnswer> {
    const { db, clock } = this.#deps;
    const { license, isOwners } = await this.#shown(caller, form);
    const left = await db.work({ tx: true }, async (tx) => {
      // the serial first, as everywhere, and then its owner and its machines as they are now
      await holdSerial(tx, license.developer_id, license.serial_id);
      const seat = await tx
        .selectFrom('activations as a')
        .$call(joinOwn('serials as s', 's.id', 'a.serial_id'))
        .select(['a.machine_id', 's.customer_id'])
        .where('a.developer_id', '=', license.developer_id)
        .where('a.id', '=', form.seat_id)
        .where('a.serial_id', '=', license.serial_id)
        .executeTakeFirst();
      if (!seat) throw new LicenseRefusal('not_activated', 'This seat is not in use.');
      if (seat.customer_id !== license.customer_id) throw new LicenseRefusal('code_expired');
      if (!isOwners && !isSameMachine(seat.machine_id, form.machine_id)) throw new LicenseRefusal('code_required');
      return freeSeat(tx, serialOf(license), seat.machine_id, clock.now());
    });
    if (left === undefined) throw new LicenseRefusal('not_activated', 'This seat is not in use.');
    return { ok: true, status: 'deactivated', ...seatsOf({ ...license, seats_used: left }) };
  }

  async #shown(caller: PluginCaller, form: ListSeatsBody): Promise<Shown> {
    const shown = await this.#proven(caller, form);
    if (caller.asker) caller.asker.isSeated = true;
    assertRules(shown.license, { now: this.#deps.clock.now(), productId: form.product_id, emailKey: null });
    return shown;
  }

  async #proven(caller: PluginCaller, form: ListSeatsBody): Promise<Shown> {
    const { licenses, visits, tokens, deviceCodes, seatCodes } = this.#deps;
    const { device_code, email_code, validation_token, license_key, machine_id } = form;
    if (device_code !== null) {
      const { code, by_email } = await deviceCodes.confirmedBy(caller, { ...form, device_code });
      return { license: await licenses.find({ ...caller, asker: null }, code, machine_id), isOwners: by_email };
    }
    // the same, whether or not there is such a license
    if (license_key === null || (email_code === null && validation_token === null))
      throw new LicenseRefusal('code_required');
    if (email_code !== null) {
      const license = await this.#known(caller, license_key, machine_id);
      const customerId = license?.customer_id ?? null;
      const isRight =
        license !== null &&
        customerId !== null &&
        (await seatCodes.isRight({ ...serialOf(license), customerId, machineId: machine_id }, email_code));
      if (!isRight) throw new LicenseRefusal('code_expired');
      return { license, isOwners: true };
    }
    const license = await licenses.find(caller, license_key, machine_id);
    if (license.activation_id === null || license.released_at !== null) throw new LicenseRefusal('not_activated');
    await tokens.check(validation_token as string, subjectOf(license, machine_id), visits.newestTokens(license));
    return { license, isOwners: false };
  }

  /** Null for one that does not exist, which counts as a guess. */
  async #known(caller: PluginCaller, code: string, machineId: string): Promise<License | null> {
    try {
      return await this.#deps.licenses.find(caller, code, machineId);
    } catch (error) {
      // while its address is guessing, a machine without a seat hears the same
      const isHidden = error instanceof LicenseRefusal && ['not_found', 'rate_limited'].includes(error.status);
      if (!isHidden) throw error;
      if (error.status === 'not_found') await caller.asker?.guesses();
      return null;
    }
  }

  async #seatsOf({ developer_id, serial_id }: License) {
    return this.#deps.db
      .selectFrom('activations')
      .select(['id', 'machine_id', 'label', 'os', 'version', 'last_seen_at', 'leased_until'])
      .where('developer_id', '=', developer_id)
      .where('serial_id', '=', serial_id)
      .where('released_at', 'is', null)
      .orderBy('last_seen_at', 'desc')
      .orderBy('id')
      .execute();
  }
}
