import { sql } from 'kysely';
import { type Clock, DAY } from '#platform/clock.ts';
import { addressOf } from '#platform/network/addresses.ts';
import type { Random } from '#platform/random.ts';
import { looksLikeCredential, newCredential } from '#platform/secrets/credentials.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import type { AccountsHandle } from '../tables.ts';

const PREFIX = 'tnr_dev_';
/** Places of the latest sign-ins that an account has of each kind. */
const MOST = 20;
const LIFETIME = 365 * DAY;
/** An id that no account has, so that a look-up for an unknown email address is the same statement. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/** Where a sign-in comes from. The device token is what an earlier sign-in answered, if the client kept it. */
export interface Place {
  ip: string;
  deviceToken: string | undefined;
}

/** The devices and addresses from which an account was signed in to. */
export class KnownPlaces {
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(deps: { clock: Clock; random: Random }) {
    this.#clock = deps.clock;
    this.#random = deps.random;
  }

  /** How the account knows the place. A device takes precedence over its address: nobody else has its token. */
  async recognize(
    db: AccountsHandle,
    accountId: string | undefined,
    place: Place,
  ): Promise<'device' | 'address' | 'stranger'> {
    const hashes = hashesOf(place).map(({ hash }) => hash);
    const rows = await db
      .selectFrom('known_places')
      .select('kind')
      .where('user_id', '=', accountId ?? NO_ACCOUNT)
      .where('hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
      .execute();
    const kinds = rows.map((row) => row.kind);
    return kinds.includes('device') ? 'device' : (kinds[0] ?? 'stranger');
  }

  /**
   * Notes a place that has shown the password, or the link from an email.
   * @returns the token of its device: its own, or a new one when it has none.
   */
  async remember(tx: AccountsHandle, accountId: string, place: Place): Promise<string> {
    const own = place.deviceToken;
    const deviceToken = own && looksLikeCredential(PREFIX, own) ? own : newCredential(PREFIX, this.#random);
    for (const { kind, hash } of hashesOf({ ip: place.ip, deviceToken })) {
      const now = this.#clock.now();
      await tx
        .insertInto('known_places')
        .values({ user_id: accountId, hash, kind, last_seen_at: now })
        .onConflict((on) => on.columns(['user_id', 'hash']).doUpdateSet({ last_seen_at: now }))
        .execute();
      await sql`delete from known_places where user_id = ${accountId} and kind = ${kind} and hash in (
        select hash from known_places where user_id = ${accountId} and kind = ${kind}
        order by last_seen_at desc, hash offset ${sql.lit(MOST)})`.execute(tx);
    }
    return deviceToken;
  }

  async forgetAll(tx: AccountsHandle, accountId: string): Promise<void> {
    await tx.deleteFrom('known_places').where('user_id', '=', accountId).execute();
  }

  /** Hourly: deletes places without a sign-in for a year. */
  async expire(db: AccountsHandle): Promise<void> {
    const before = new Date(this.#clock.now().getTime() - LIFETIME);
    await db.deleteFrom('known_places').where('last_seen_at', '<', before).execute();
  }
}

function hashesOf({ ip, deviceToken }: Place): { kind: 'device' | 'address'; hash: Buffer }[] {
  return [
    { kind: 'address', hash: sha256(`address ${addressOf(ip)}`) },
    ...(deviceToken ? [{ kind: 'device' as const, hash: sha256(`device ${deviceToken}`) }] : []),
  ];
}
