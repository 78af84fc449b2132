import { sql } from 'kysely';
import { findNamedProduct } from '#features/products';
import { findInText } from '#features/serials';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import type { Random } from '#platform/random.ts';
import type { Activate, HeldSeat } from '../calls/activate.call.ts';
import type { Deactivate } from '../calls/deactivate.call.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { ActivateBody } from '../rules/activate-body.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { folded, foldOf, isEveryComputer } from '../rules/machine-ids.ts';
import { answerTestSerial, testTokenOf } from '../rules/test-serials.ts';
import type { SeatedSerial } from '../seats/take.ts';
import type { LicensingDb } from '../tables.ts';
import { type KeyFileFacts, keyFileText } from './keyfile-format.ts';
import type { ProductKeys, ProductPair } from './product-keys.service.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  activate: Activate;
  deactivate: Deactivate;
  productKeys: ProductKeys;
}

/** Fields of an activation as a stock client sends them, under the names of v1. */
export interface LooseActivation {
  license_key: string;
  machine_id: string;
  old_machine_ids?: readonly string[];
  product_id?: string | null;
  version?: string | null;
  email?: string | null;
  label?: string | null;
  os?: string | null;
}

/** How a key file names its plugin and its owner. */
export interface Naming {
  app: string | null;
  version: string | null;
  user: string | null;
  email: string | null;
}

const anyOf = (machines: readonly string[]) => sql<string>`any(${machines.map(foldOf)}::text[])`;

/** JUCE key files for machines that hold seats. A file is only ever made after the seat was taken. */
export class KeyFiles {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The answer for a test serial; null for a real one. No row is read or written.
   * @throws {LicenseRefusal} the status that the test serial represents; not_found for one that represents an invalid
   * token, because a key file has none
   */
  testAnswer(caller: PluginCaller, code: string) {
    const answer = answerTestSerial(code, caller);
    if (answer && testTokenOf(code)) {
      throw new LicenseRefusal(
        'not_found',
        'This test serial returns a validation token; there is no license file for it.',
      );
    }
    return answer;
  }

  /**
   * Takes the machine's seat as v1 does: seats, first redemption and rules are one.
   * @param keepsLease for a file that has an end of its own: the lease that is there stays until the new one.
   * @throws {LicenseRefusal}
   */
  async takeSeat(
    caller: PluginCaller,
    fields: LooseActivation,
    country: string | null,
    { keepsLease = false } = {},
  ): Promise<HeldSeat> {
    const form = ActivateBody.safeParse(fields);
    if (!form.success) throw new LicenseRefusal('invalid_request', form.error.issues[0]?.message);
    return this.#deps.activate.takeSeat(caller, { ...form.data, keepsLease }, country);
  }

  /**
   * One file for several machines, each with a seat of its own: every machine in the list of a key file is unlocked by
   * it. When one gets no seat, those that got theirs in this call give them back.
   */
  async forMachines(
    caller: PluginCaller,
    form: Omit<LooseActivation, 'machine_id'> & { app: string | null; lease_days?: number | undefined },
    machines: readonly string[],
    country: string | null,
  ): Promise<string> {
    const test = this.testAnswer(caller, form.license_key);
    if (test) return this.testFile(caller, form.app, form.version ?? null, machines);
    if (form.old_machine_ids?.length && machines.length > 1) {
      throw new LicenseRefusal('invalid_request', 'old_machine_ids can only be used with a single machine id.');
    }
    const before = await this.#seatsOf(caller, form.license_key);
    const product_id = form.product_id ?? (await this.#productOf(caller, form.app));
    let seat: HeldSeat | undefined;
    const taken: string[] = [];
    try {
      for (const machine_id of machines) {
        seat = await this.takeSeat(caller, { ...form, machine_id, product_id }, country, { keepsLease: true });
        if (!before.has(foldOf(machine_id))) taken.push(machine_id);
      }
    } catch (error) {
      for (const machine_id of taken) {
        const { license_key } = form;
        await this.#deps.deactivate.answer(caller, { license_key, machine_id }).catch(() => undefined);
      }
      throw error;
    }
    if (!seat) throw new LicenseRefusal('invalid_request', 'The plugin did not send a machine id (machine_id).');
    if (form.lease_days !== undefined) {
      await this.lease(seat, machines, new Date(this.#deps.clock.now().getTime() + form.lease_days * DAY));
    } else {
      // a file without an end takes the place of one with an end, once every machine has its seat
      await this.#endLeases(seat, machines);
    }
    const naming = { app: form.app, version: form.version ?? null, user: null, email: form.email ?? null };
    return this.write(seat, machines, naming, await this.#deps.productKeys.ensure(seat.developerId, seat.productId));
  }

  /**
   * Leases the seats of these machines until `until`, and no longer.
   * @param releaseHash of the secret that gives up the new file. A used secret is good for no other file.
   */
  async lease(
    seat: SeatedSerial,
    machines: readonly string[],
    until: Date,
    releaseHash: Buffer | null = null,
  ): Promise<void> {
    const now = this.#deps.clock.now();
    const held = await this.#seats(seat, machines)
      .set({
        leased_until: until,
        release_hash: releaseHash,
        // nothing shows that an earlier file with another secret, or with none, was given up as well
        other_file_until: sql`case when leased_until > ${now} then
          case when release_hash = ${releaseHash}::bytea then other_file_until
            else greatest(leased_until, other_file_until) end end`,
      })
      .where('released_at', 'is', null)
      .where(
        sql<boolean>`not exists (select from offline_releases
          where developer_id = ${seat.developerId} and release_hash = ${releaseHash}::bytea)`,
      )
      .returning('id')
      .execute();
    // freed in between, by another call
    if (held.length < new Set(machines.map(foldOf)).size) throw new LicenseRefusal('not_activated');
  }

  /** The product that a plugin's own name names. A file with another one's key would not open that plugin. */
  async #productOf({ developerId }: PluginCaller, app: string | null): Promise<string | null> {
    if (app === null) return null;
    return (await findNamedProduct(this.#deps.db, developerId, app))?.id ?? null;
  }

  async #endLeases(seat: HeldSeat, machines: readonly string[]): Promise<void> {
    await this.#seats(seat, machines).set({ leased_until: null }).where('leased_until', 'is not', null).execute();
  }

  #seats({ developerId, serialId }: SeatedSerial, machines: readonly string[]) {
    return this.#deps.db
      .updateTable('activations')
      .where('developer_id', '=', developerId)
      .where('serial_id', '=', serialId)
      .where(folded('machine_id'), '=', anyOf(machines));
  }

  /**
   * The text of a key file. It is of the expiring kind while one of its seats is a lease; one that has ended is none
   * any more, because its machine is online again.
   */
  async write(
    seat: SeatedSerial & { productId: string },
    machines: readonly string[],
    naming: Naming,
    pair: ProductPair,
    inside?: string,
  ): Promise<string> {
    const { rows } = await sql<Columns<'products', 'name'> & { leased_until: Date | null }>`
      select p.name, (select min(a.leased_until) from activations a
        where a.developer_id = ${seat.developerId} and a.serial_id = ${seat.serialId}
          and ${folded('a.machine_id')} = ${anyOf(machines)} and a.released_at is null
          and a.leased_until > ${this.#deps.clock.now()}) as leased_until
      from products p where p.developer_id = ${seat.developerId} and p.id = ${seat.productId}`.execute(this.#deps.db);
    const [facts] = rows;
    if (!facts) throw new LicenseRefusal('not_found');
    return keyFileText(this.#facts(facts.name, machines, naming, facts.leased_until), pair, inside);
  }

  /** A key file for a test serial, for a product that the caller names. */
  async testFile(
    { developerId }: PluginCaller,
    app: string | null,
    version: string | null,
    machines: readonly string[],
  ): Promise<string> {
    const product = app === null ? undefined : await findNamedProduct(this.#deps.db, developerId, app);
    if (!product)
      throw new LicenseRefusal('not_found', 'A test serial belongs to no product: send the product’s name as app.');
    const naming = { app, version, user: 'Test', email: null };
    return keyFileText(
      this.#facts(product.name, machines, naming, null),
      await this.#deps.productKeys.ensure(developerId, product.id),
    );
  }

  #facts(name: string, machines: readonly string[], naming: Naming, expiresAt: Date | null): KeyFileFacts {
    // it would be a license for everybody
    if (machines.flatMap((each) => each.split(/[,;\s]+/)).some(isEveryComputer))
      throw new LicenseRefusal('invalid_request', 'This id is no computer’s.');
    const app = naming.app ?? (naming.version ? `${name} ${naming.version}` : name);
    // JUCE refuses a key without these two; personal data that was not sent is not disclosed
    const email = naming.email || 'licensed@example.invalid';
    const account = naming.user || naming.email || 'Licensed';
    const salt = this.#deps.random.bytes(16).toString('hex');
    return { app, user: account, email, machines, createdAt: this.#deps.clock.now(), expiresAt, salt };
  }

  async #seatsOf({ developerId }: PluginCaller, code: string): Promise<Set<string>> {
    const rows = await findInText(code, async (key) => {
      const held = await this.#deps.db
        .selectFrom('serials as s')
        .$call(joinOwn('activations as a', 'a.serial_id', 's.id'))
        .select('a.machine_id')
        .where('s.developer_id', '=', developerId)
        .where('s.code_key', '=', key)
        .where('a.released_at', 'is', null)
        .execute();
      return held.length > 0 ? held : undefined;
    });
    return new Set(rows?.map((row) => foldOf(row.machine_id)));
  }
}
