import type { Authenticate, Principal } from '#platform/access/access.ts';
import type { OpenedSession } from '#platform/access/session-tokens.ts';
import { SharedLookup } from '#platform/caches/shared-lookup.ts';
import { type Clock, DAY, MINUTE, SECOND } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Device } from '#platform/network/device.ts';
import type { Random } from '#platform/random.ts';
import { looksLikeCredential } from '#platform/secrets/credentials.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { currentWork } from '#platform/work-context.ts';
import { type AccountsDb, tables } from '../tables.ts';
import {
  type AccessTokenRow,
  findAccessToken,
  findSession,
  type SessionRow,
  touchAccessToken,
  touchSession,
} from './credentials.queries.ts';

export const ACCESS_TOKEN_PREFIX = 'tnr_pat_';
const SESSION_LIFETIME = 30 * DAY;
export const SESSION_SECONDS = SESSION_LIFETIME / SECOND;
/** How stale "last seen" may be: a write for every request would cost more than the request. */
const TOUCH_AFTER = 5 * MINUTE;

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  random: Random;
}

/** Sessions: a row in the database, named by a signed token. The row decides. */
export class Sessions {
  readonly #deps: Dependencies;
  readonly #found = new SharedLookup<Principal | null>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Opens a session in the caller's transaction.
   * @param machine what its machine calls itself, where a code signed it in.
   */
  async open(sql: Sql, accountId: string, device: Device, machine: string | null = null): Promise<OpenedSession> {
    const { clock, random } = this.#deps;
    const id = random.id();
    const now = clock.now();
    await tables
      .in(sql)
      .insertInto('sessions')
      .values({
        id,
        user_id: accountId,
        user_agent: device.userAgent?.slice(0, 500) ?? null,
        machine,
        ip: device.ip,
        created_at: now,
        last_seen_at: now,
        expires_at: new Date(now.getTime() + SESSION_LIFETIME),
      })
      .execute();
    return { id, openedAt: now };
  }

  /** Hourly: deletes sessions that have ended. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    await db.deleteFrom('sessions').where('expires_at', '<=', clock.now()).execute();
  }

  readonly authenticate: Authenticate = async (bearer, sessionId) => {
    // the connections of another lane are not to be used
    const shared = (id: string, find: () => Promise<Principal | null>) =>
      this.#found.get(`${currentWork().lane} ${id}`, find);
    if (bearer.startsWith(ACCESS_TOKEN_PREFIX)) {
      if (!looksLikeCredential(ACCESS_TOKEN_PREFIX, bearer)) return null;
      const hash = sha256(bearer);
      return shared(hash.toString('base64'), () => this.#byAccessToken(hash));
    }
    const id = await sessionId();
    return id === null ? null : shared(id, () => this.#bySession(id));
  };

  async #byAccessToken(hash: Buffer): Promise<Principal | null> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const [row] = await findAccessToken(db, hash, now);
    if (!row) return null;
    if (stale(row.last_used_at, now)) await touchAccessToken(db, row.id, now);
    return principal('access_token', row, row.scopes);
  }

  async #bySession(id: string): Promise<Principal | null> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const [row] = await findSession(db, id, now);
    if (!row) return null;
    if (stale(row.last_seen_at, now)) await touchSession(db, row.id, now, new Date(now.getTime() + SESSION_LIFETIME));
    return principal('session', row, null);
  }
}

function stale(seen: Date | null, now: Date): boolean {
  return seen === null || now.getTime() - seen.getTime() > TOUCH_AFTER;
}

function principal(kind: Principal['kind'], row: SessionRow | AccessTokenRow, scopes: Principal['scopes']): Principal {
  return {
    kind,
    credentialId: row.id,
    expiresAt: row.expires_at,
    accountId: row.user_id,
    role: row.role,
    isAdmin: row.is_admin,
    emailVerified: row.email_verified,
    timeZone: row.time_zone,
    scopes,
  };
}
