import { sql } from 'kysely';
import { recordWebhooks } from '#features/webhooks';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants, ownJoin } from '#platform/db/tenant.ts';
import type { Random } from '#platform/random.ts';
import type { KeyFiles } from '../key-files/keyfile.service.ts';
import type { ProductKeys } from '../key-files/product-keys.service.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { MachineId, NewMachineId } from '../rules/license-fields.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { MACHINE_SHOWN } from '../rules/machine-ids.ts';
import { noted } from '../seats/noted.ts';
import { knownSpelling } from '../seats/seats.queries.ts';
import { takeSeat } from '../seats/take.ts';
import type { LicensingDb } from '../tables.ts';
import { lossOf, machineHash, signToken } from '../tokens/license-token.ts';
import type { SigningKeys } from '../tokens/signing-keys.ts';
import { AppName, type OfflineBody } from './offline.schemas.ts';
import { licenseEnvelope, type MachineFile, readMachineFile } from './offline-format.ts';
import type { OfflineReleases } from './releases.service.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  publicUrl: string;
  keyFiles: KeyFiles;
  productKeys: ProductKeys;
  keys: SigningKeys;
  releases: OfflineReleases;
}

const NO_MACHINE_FILE = 'This is not a machine file.';

interface LeasedSeat {
  developerId: string;
  serialId: string;
  productId: string;
  machineId: string;
  email: string | null;
  /** From the machine file. */
  releaseHash?: string | null;
  /** The plugin's name for itself, for a key file. */
  app?: string | null;
  version?: string | null;
}

/** Licenses for machines that never see the network: a machine file in, a license file out, a seat for a while. */
export class OfflineLicenses {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Takes a seat for the machine of the file, and leases it.
   * @throws {LicenseRefusal}
   */
  async create(caller: PluginCaller, form: OfflineBody, country: string | null): Promise<string> {
    const { keyFiles } = this.#deps;
    const machine = machineOf(form.machine_file);
    if (!machine) throw new LicenseRefusal('invalid_request', NO_MACHINE_FILE);
    if (keyFiles.testAnswer(caller, form.license_key)) {
      throw new LicenseRefusal('invalid_request', 'There is no offline license for a test serial.');
    }
    const { license_key, email } = form;
    const { machineId, label, releaseHash } = machine;
    await this.#deps.releases.assertUnused(caller.developerId, releaseHash);
    const seat = await keyFiles.takeSeat(caller, { license_key, machine_id: machineId, email, label }, country, {
      keepsLease: true,
    });
    const app = form.app ?? machine.app;
    return this.lease({ ...seat, machineId, email, app, version: form.version, releaseHash });
  }

  /**
   * The same for the serial's owner, who has no plugin key but has shown that the address is theirs.
   * @throws {LicenseRefusal}
   */
  async forOwner(owner: Omit<LeasedSeat, 'machineId'>, machineFile: string): Promise<string> {
    const machine = machineOf(machineFile);
    if (!machine || !MachineId.safeParse(machine.machineId).success) {
      throw new LicenseRefusal('invalid_request', NO_MACHINE_FILE);
    }
    const valid = NewMachineId.safeParse(machine.machineId);
    if (!valid.success) throw new LicenseRefusal('invalid_request', valid.error.issues[0]?.message);
    const { db, clock, random, releases } = this.#deps;
    await releases.assertUnused(owner.developerId, machine.releaseHash);
    const about = { developer_id: owner.developerId, serial_id: owner.serialId };
    const machineId = await knownSpelling(db, about, machine.machineId);
    await db.work({ tx: true }, (tx) =>
      takeSeat(tx, {
        id: random.id(),
        developerId: owner.developerId,
        serialId: owner.serialId,
        machineId,
        version: null,
        label: machine.label,
        os: null,
        // no token of this is kept: the machine has only the license file
        tokenHash: random.bytes(32),
        keepsLease: true,
        now: clock.now(),
      }),
    );
    return this.lease({
      ...owner,
      machineId: machine.machineId,
      app: machine.app,
      releaseHash: machine.releaseHash,
    });
  }

  /** The license file of a machine that holds a seat; from now on the seat is a lease. Asked again, it is prolonged. */
  async lease(seat: LeasedSeat): Promise<string> {
    const { db, clock, keys, productKeys, publicUrl } = this.#deps;
    const product = await db
      .selectFrom('products')
      .select(['name', 'lease_days', 'on_loss'])
      .where('developer_id', '=', seat.developerId)
      .where('id', '=', seat.productId)
      .executeTakeFirst();
    // its serials went with it
    if (!product) throw new LicenseRefusal('not_found');
    const iat = Math.floor(clock.now().getTime() / 1000);
    const until = new Date((iat + (product.lease_days * DAY) / 1000) * 1000);
    const { releaseHash = null } = seat;
    const proof = releaseHash === null ? null : Buffer.from(releaseHash, 'hex');
    await this.#deps.keyFiles.lease(seat, [seat.machineId], until, proof);
    const { current } = await keys.ring(seat.developerId);
    const token = signToken(
      {
        iss: publicUrl,
        sub: seat.serialId,
        aud: seat.productId,
        mid: machineHash(seat.machineId),
        iat,
        exp: until.getTime() / 1000,
        lic: null,
        ...lossOf(product),
        ...(releaseHash === null ? {} : { rel: releaseHash }),
      },
      current,
    );
    const keysUrl = `${publicUrl}/api/license/v1/jwks?dev=${seat.developerId}`;
    const envelope = licenseEnvelope({ product: product.name, until, keysUrl, token });
    const pair = await productKeys.find(seat.developerId, seat.productId);
    if (!pair) return `${envelope}\n`;
    // one file for both kinds of reader: JUCE looks behind the last #, ours between its own lines
    const naming = { app: seat.app ?? null, version: seat.version ?? null, user: null, email: seat.email };
    return this.#deps.keyFiles.write(seat, [seat.machineId], naming, pair, envelope);
  }

  /**
   * Frees the seats whose leases have expired, and returns how many. A machine seen after its lease expired is online
   * again, so it keeps its seat without a lease.
   */
  async freeEnded(): Promise<number> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const developers = await db
      .selectFrom('activations')
      .select('developer_id')
      .distinct()
      .where('leased_until', '<=', now)
      .where('released_at', 'is', null)
      .modifyEnd(acrossTenants('finds those who have something to free'))
      .execute();
    let freed = 0;
    for (const { developer_id } of developers) freed += await this.#freeEndedOf(developer_id, now);
    return freed;
  }

  #freeEndedOf(developerId: string, now: Date): Promise<number> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      // serials before their seats, as everybody locks them
      const { rows: serials } = await sql<Columns<'serials', 'id'>>`
        select s.id from serials s
        where s.developer_id = ${developerId} and exists (select 1 from activations a
          where a.developer_id = ${developerId} and a.serial_id = s.id and a.leased_until <= ${now} and a.released_at is null)
        order by s.id for update of s`.execute(tx);
      if (serials.length === 0) return 0;
      const ids = serials.map((serial) => serial.id);
      const { rows: freed } = await sql<Freed>`
        with ended as (
          select id, leased_until as ended_at from activations
          where developer_id = ${developerId} and serial_id = any(${ids}::uuid[]) and leased_until <= ${now}
            and released_at is null and last_seen_at < leased_until
        ), gone as (
          update activations a set released_at = ${now}, token_hash = null, leased_until = null
          from ended where a.developer_id = ${developerId} and a.id = ended.id and a.leased_until <= ${now}
            and a.released_at is null and a.last_seen_at < a.leased_until
          returning a.serial_id, a.machine_id, a.version, a.os, a.last_seen_at, ended.ended_at
        ), ${noted(sql`${developerId}`, 'gone', 'freed')}, back as (
          update serials s set seats_used = s.seats_used - g.seats
          from (select serial_id, count(*)::int as seats from gone group by serial_id) g
          where s.developer_id = ${developerId} and s.id = g.serial_id
        )
        select g.serial_id, b.product_id, left(g.machine_id, ${sql.lit(MACHINE_SHOWN)}) as machine, g.ended_at
        from gone g join serials s on s.developer_id = ${developerId} and s.id = g.serial_id
          ${ownJoin('batches as b', 'b.id', 's.batch_id')}`.execute(tx);
      await tx
        .updateTable('activations')
        .set({ leased_until: null })
        .where('developer_id', '=', developerId)
        .where('serial_id', '=', sql<string>`any(${ids}::uuid[])`)
        .where('leased_until', '<=', now)
        .where('released_at', 'is', null)
        .execute();
      await recordWebhooks(
        tx,
        developerId,
        freed.map((data) => ({ type: 'lease.ended', at: now, data })),
      );
      return freed.length;
    });
  }
}

interface Freed extends Columns<'activations', 'serial_id'>, Columns<'batches', 'product_id'> {
  machine: string;
  ended_at: Date;
}

/** A machine file's content, with the plugin name checked like a form's. Null when it is not a machine file. */
function machineOf(text: string): MachineFile | null {
  const machine = readMachineFile(text);
  const app = AppName.safeParse(machine?.app);
  return machine && app.success ? { ...machine, app: app.data } : null;
}
