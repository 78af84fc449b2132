import { type BitMatrix, create as qrCode } from 'qrcode';
import type { MyMachine, MyProducts } from '#features/redemption';
import { type Clock, MINUTE, SECOND } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, invalidField } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { addressOf } from '#platform/network/addresses.ts';
import type { Random } from '#platform/random.ts';
import { looksLikeCredential, newCredential } from '#platform/secrets/credentials.ts';
import { type Secrets, sha256 } from '#platform/secrets/secrets.ts';
import { plainMachineName } from '#platform/text/machine-name.ts';
import { newUserCode, shownUserCode } from '#platform/text/user-code.ts';
import type { Activate } from '../calls/activate.call.ts';
import { isOwnProduct } from '../own-product.ts';
import { limits as policies } from '../requests/limits.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { isSameMachine } from '../rules/machine-ids.ts';
import type { LicensingDb } from '../tables.ts';
import * as q from './device-codes.queries.ts';
import type { DeviceCodeView, DeviceSerials } from './device-codes.schemas.ts';

const PREFIX = 'tnr_lic_';
const PURPOSE = 'license device code';
const LIFETIME = 15 * MINUTE;
/** An expired one is kept so long, so that its plugin hears that it has expired. */
const KEPT = 10 * MINUTE;
/** Seconds between two calls, and by how many a plugin that calls sooner is slowed down each time. */
const INTERVAL = 5;
const SLOWEST = 60;
/** The most plugins of one product that wait: anyone who has its plugin key can start them, and each is a row. */
const MOST = 2000;

/** A plugin that asks for its owner, as it describes itself. */
interface DeviceForm {
  product_id: string;
  machine_id: string;
  old_machine_ids?: readonly string[] | undefined;
  version: string | null;
  label: string | null;
  os: string | null;
}

/** A plugin's question, with its secret. */
interface DeviceQuestion {
  device_code: string;
  machine_id: string;
  product_id: string | null;
}

/** A web page's question: the code, and whose plugin it is. */
interface Asked {
  user_code: string;
  dev?: string | undefined;
}

/** The visitor of the web page. */
interface Visitor {
  host: string;
  ip: string;
}

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  limits: RateLimits;
  activate: Activate;
  myProducts: MyProducts;
  domains: { developerOf(host: string): Promise<string | null> };
  redeemUrl(sql: Sql, developerId: string): Promise<string>;
}

/**
 * Signing in from inside a plugin (RFC 8628): it shows a code, which the serial's owner confirms on the redemption page,
 * while the plugin asks with a secret of its own whether that has happened.
 */
export class DeviceCodes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * @throws {LicenseRefusal} not_found
   * @throws {AppError} rate_limited; busy when more plugins wait than people can be answering
   */
  async start(
    { developerId, keyId, asker }: PluginCaller,
    form: DeviceForm,
    from: { ip: string; country: string | null },
  ) {
    const { db, clock, random, limits, redeemUrl } = this.#deps;
    if (!(await isOwnProduct(db, developerId, form.product_id)))
      throw new LicenseRefusal('not_found', 'Product not found.');
    await asker?.begins('device');
    await limits.take(policies.license_device_key, keyId);
    const now = clock.now();
    if ((await q.countWaiting(db, developerId, form.product_id, now)) >= MOST)
      throw new AppError('busy', 'Too many plugins are waiting at the moment. Try again in a few minutes.', {
        retryAfter: 60,
      });
    const [deviceCode, userCode] = [newCredential(PREFIX, random), newUserCode(random)];
    await q.addCode(db, {
      developer_id: developerId,
      id: random.id(),
      product_id: form.product_id,
      device_code_hash: sha256(deviceCode),
      user_code_hash: this.#hashOf(userCode),
      machine_id: form.machine_id,
      old_machine_ids: [...(form.old_machine_ids ?? [])],
      version: form.version,
      label: form.label,
      os: form.os,
      ...from,
      state: 'pending',
      interval_seconds: INTERVAL,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFETIME),
    });
    const page = await redeemUrl(db, developerId);
    const user_code = shownUserCode(userCode);
    // behind #, where no server logs it
    const address = `${page}#device=${user_code}`;
    return {
      ok: true as const,
      status: 'pending' as const,
      device_code: deviceCode,
      user_code,
      verification_uri: `${page}#device`,
      verification_uri_complete: address,
      qr: rowsOf(qrCode(address, { errorCorrectionLevel: 'M' }).modules),
      expires_in: LIFETIME / SECOND,
      interval: INTERVAL,
    };
  }

  /**
   * The plugin asks. Once it is confirmed, this is `activate`, and may be repeated while the code lasts: an answer can be
   * lost, and a seat may have to be released first.
   * @throws {LicenseRefusal} pending, slow_down, denied, code_expired, or what activate refuses
   */
  async finish(caller: PluginCaller, question: DeviceQuestion) {
    const { activate } = this.#deps;
    const { row, early } = await this.#asked(caller, question, true);
    if (row.state === 'denied') throw new LicenseRefusal('denied');
    if (row.state === 'pending') throw new LicenseRefusal(early ? 'slow_down' : 'pending');
    const { code } = await this.#confirmed(caller, row.id);
    const form = {
      license_key: code,
      machine_id: question.machine_id,
      old_machine_ids: row.old_machine_ids,
      product_id: row.product_id,
      version: row.version,
      label: row.label,
      os: row.os,
      email: null,
    };
    // its owner has confirmed: nobody is guessing
    const { answer } = await activate.takeSeat({ ...caller, asker: null }, form, null);
    return { ...answer, license_key: code };
  }

  /**
   * The serial that was confirmed for a plugin, and whether by the link from the owner's email.
   * @throws {LicenseRefusal} code_expired
   */
  async confirmedBy(caller: PluginCaller, question: DeviceQuestion): Promise<{ code: string; by_email: boolean }> {
    const { row } = await this.#asked(caller, question, false);
    if (row.state !== 'confirmed') throw new LicenseRefusal('code_expired');
    return this.#confirmed(caller, row.id);
  }

  async #confirmed(caller: PluginCaller, id: string) {
    const confirmed = await q.findConfirmed(this.#deps.db, caller.developerId, id);
    // it has another owner by now
    if (!confirmed) throw new LicenseRefusal('code_expired');
    if (caller.asker) caller.asker.isSeated = true;
    return confirmed;
  }

  /** @param isPoll notes when it asked, and slows it down. */
  async #asked({ developerId }: PluginCaller, question: DeviceQuestion, isPoll: boolean) {
    const { db, clock } = this.#deps;
    if (!looksLikeCredential(PREFIX, question.device_code)) throw new LicenseRefusal('code_expired');
    const hash = sha256(question.device_code);
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const row = await q.lockByDeviceCode(tx, developerId, hash);
      const isIts =
        row !== undefined &&
        isSameMachine(row.machine_id, question.machine_id) &&
        (question.product_id ?? row.product_id).toLowerCase() === row.product_id;
      if (!isIts || row.expires_at <= now) throw new LicenseRefusal('code_expired');
      const early = row.polled_at !== null && now.getTime() < row.polled_at.getTime() + row.interval_seconds * SECOND;
      if (isPoll && row.state === 'pending') {
        const interval = early ? Math.min(row.interval_seconds + INTERVAL, SLOWEST) : row.interval_seconds;
        await q.notePoll(tx, row, now, interval);
      }
      return { row, early };
    });
  }

  /** The activation behind a code, for its owner to compare. @throws {AppError} not_found */
  async find(asked: Asked, from: Visitor): Promise<DeviceCodeView> {
    const { row } = await this.#shown(asked, from);
    return {
      user_code: shownUserCode(asked.user_code),
      product: row.product,
      machine: row.label === null ? null : plainMachineName(row.label),
      os: row.os === null ? null : plainMachineName(row.os),
      version: row.version === null ? null : plainMachineName(row.version),
      country: row.country,
      same_network: addressOf(row.ip) === addressOf(from.ip),
      state: row.state,
      created_at: row.created_at,
      expires_in: Math.ceil((row.expires_at.getTime() - this.#deps.clock.now().getTime()) / SECOND),
    };
  }

  /**
   * The serials that the plugin could be activated with, for a visitor with a link or a redemption.
   * @throws {AppError} not_found, link_invalid
   */
  async choices({ token, ...asked }: Asked & { token: string }, from: Visitor): Promise<DeviceSerials> {
    const { db, myProducts } = this.#deps;
    const { row, developerId } = await this.#shown(asked, from);
    const { serialIds, byEmail } = await myProducts.proven(token, developerId);
    const found = await q.findChoices(db, developerId, row, serialIds);
    const ids = found.map(({ id }) => id);
    const machines = byEmail ? await myProducts.machinesOf(developerId, ids) : new Map<string, MyMachine[]>();
    return {
      by_email: byEmail,
      serials: found.map(({ code, max_activations, seats_used, is_seated }) => ({
        serial: code,
        max_activations,
        seats_used,
        is_full: !is_seated && seats_used >= max_activations,
        is_activated: is_seated,
        machines: machines.get(code) ?? [],
      })),
    };
  }

  /** @throws {AppError} not_found, also when it was answered in another way, or the serial is not theirs; link_invalid */
  async confirm({ token, serial, ...asked }: Asked & { token: string; serial: string }, from: Visitor): Promise<void> {
    const { db, clock, myProducts } = this.#deps;
    const { row, developerId } = await this.#shown(asked, from);
    const { serialIds, byEmail } = await myProducts.proven(token, developerId);
    const chosen = (await q.findChoices(db, developerId, row, serialIds)).find(({ code }) => code === serial);
    if (!chosen) throw new AppError('serial_not_found', 'This serial is not yours, or it is not for this plugin.');
    const now = clock.now();
    const what = {
      serialId: chosen.id,
      customerId: chosen.customer_id,
      byEmail,
      until: new Date(now.getTime() + LIFETIME),
    };
    if (!(await q.confirm(db, developerId, this.#hashOf(asked.user_code), what, now))) throw noPluginWaiting();
  }

  /** Anyone who has the code may, because it gives nothing. @throws {AppError} not_found, also when it was confirmed */
  async deny(asked: Asked, from: Visitor): Promise<void> {
    const { db, clock } = this.#deps;
    const { developerId } = await this.#shown(asked, from);
    if (!(await q.deny(db, developerId, this.#hashOf(asked.user_code), clock.now()))) throw noPluginWaiting();
  }

  /** Hourly: deletes those whose plugins have heard that they expired. */
  async expire(): Promise<void> {
    await q.deleteExpired(this.#deps.db, new Date(this.#deps.clock.now().getTime() - KEPT));
  }

  /**
   * Counts a code as a guess unless it is right: before it is looked up, so that simultaneous ones are counted too.
   * @throws {AppError} not_found, the same for one that is unknown or expired
   */
  async #shown({ user_code, dev }: Asked, { host, ip }: Visitor) {
    const { db, clock, domains, limits } = this.#deps;
    const developerId = dev ?? (await domains.developerOf(host));
    if (!developerId) throw invalidField('dev', 'Open the page whose address the plugin shows.');
    await limits.take(policies.license_user_code, ip);
    const row = await q.findShown(db, developerId, this.#hashOf(user_code), clock.now());
    if (!row) throw noPluginWaiting();
    await limits.giveBack(policies.license_user_code, ip);
    return { row, developerId };
  }

  /** Under a key: eight characters alone could be tried out on what was read from a backup. */
  #hashOf(userCode: string): Buffer {
    return this.#deps.secrets.mac(userCode, PURPOSE);
  }
}

function noPluginWaiting(): AppError {
  return new AppError('not_found', 'No plugin is waiting with this code. It may have expired: start again there.');
}

const rowsOf = ({ size, data }: BitMatrix): string[] =>
  Array.from({ length: size }, (_, row) => Array.from(data.slice(row * size, (row + 1) * size)).join(''));
