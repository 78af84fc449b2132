import { recordAudit } from '#features/audit';
import type { Scope } from '#platform/access/access.ts';
import { type Clock, DAY, MINUTE, SECOND } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { AppError } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import { newCredential } from '#platform/secrets/credentials.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { ACCESS_TOKEN_PREFIX } from '../credentials/sessions.ts';
import { holdOpenAccount } from '../deletion/hold-accounts.ts';
import type { AccountsDb, AccountsHandle } from '../tables.ts';
import { type Claims, lastMoment, provenClaims, readToken, refusalOf, runOf } from './identity-token.ts';
import { IssuerKeys } from './issuer-keys.ts';

const LIFETIME = 15 * MINUTE;
/** The most tokens of an account that still work. */
const MOST = 200;
/** How long the list still shows a token that no longer works. */
const KEPT = DAY;

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  random: Random;
  egress: Egress;
  publicUrl: string;
}

interface Issued {
  id: string;
  token: string;
  name: string;
  scopes: Scope[];
  expires_at: Date;
  expires_in: number;
}

/** Access tokens for 15 minutes, for identity tokens of CI jobs that a developer trusts. */
export class Exchanges {
  readonly #deps: Dependencies;
  readonly #keys: IssuerKeys;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#keys = new IssuerKeys(deps);
  }

  /**
   * @param id a repeat with the same id gets a new secret for what was issued: nobody has seen the first one.
   * @throws {AppError} identity_refused
   * @throws {AppError} unavailable when the issuer's keys cannot be had.
   */
  async exchange(id: string, trustId: string, token: string): Promise<Issued> {
    const trust = await this.#deps.db
      .selectFrom('oidc_trusts')
      .select(['user_id', 'issuer'])
      .where('id', '=', trustId)
      .executeTakeFirst();
    if (!trust) throw refused('There is no such trust.');
    // nobody is asked for keys before the token is one of the trust's issuer
    const claims = await this.#prove(trust.issuer, token);
    return this.#deps.db.work({ tx: true }, (tx) => this.#issue(tx, id, { accountId: trust.user_id, trustId, claims }));
  }

  /** Hourly: forgets tokens that nobody can use again. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    await db.deleteFrom('spent_identity_tokens').where('expires_at', '<=', now).execute();
    await db
      .deleteFrom('access_tokens')
      .where('trust_id', 'is not', null)
      .where('expires_at', '<=', new Date(now.getTime() - KEPT))
      .execute();
  }

  async #prove(issuer: string, token: string): Promise<Claims> {
    const unproven = readToken(token);
    if (!unproven) throw refused('This is no identity token.');
    const { algorithm, kid, claims } = unproven;
    if (algorithm !== 'RS256' && algorithm !== 'ES256') throw refused('The token is not signed by RS256 or ES256.');
    if (claims.iss !== issuer) throw refused('The token is of another issuer than the trust.');
    const key = await this.#keys.find(issuer, kid);
    if (key?.algorithm !== algorithm) throw refused('The token is signed with a key that its issuer does not have.');
    const proven = provenClaims(token, key);
    if (!proven) throw refused('The token’s signature is wrong.');
    return proven;
  }

  async #issue(
    tx: AccountsHandle,
    id: string,
    { accountId, trustId, claims }: { accountId: string; trustId: string; claims: Claims },
  ): Promise<Issued> {
    const { clock, random, publicUrl } = this.#deps;
    const now = clock.now();
    // locks the account before its trust, in the order of a deletion of both
    const account = await holdOpenAccount(tx, accountId);
    // as it is now, whatever it was when the token was proven
    const trust = await tx
      .updateTable('oidc_trusts')
      .set({ last_used_at: now })
      .where('id', '=', trustId)
      .where('user_id', '=', accountId)
      .returningAll()
      .executeTakeFirst();
    if (!account || !trust) throw refused('There is no such trust.');
    const refusal = refusalOf(claims, trust, { audience: publicUrl, now });
    if (refusal) throw refused(refusal);
    const token = newCredential(ACCESS_TOKEN_PREFIX, random);
    const secret = { token_hash: sha256(token), hint: token.slice(-4) };
    const issued = await tx
      .updateTable('access_tokens')
      .set(secret)
      .where('id', '=', id)
      .where('user_id', '=', accountId)
      .where('trust_id', '=', trustId)
      .returning(['name', 'scopes', 'expires_at'])
      .executeTakeFirst();
    if (issued) return answerOf({ ...issued, id, token, expires_at: issued.expires_at as Date }, now);
    const spent = await tx
      .insertInto('spent_identity_tokens')
      .values({ hash: sha256(JSON.stringify([trust.issuer, claims.jti])), expires_at: lastMoment(claims) })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .executeTakeFirst();
    if (spent.numInsertedOrUpdatedRows !== 1n)
      throw refused('The token was already exchanged. Each can be exchanged once.');
    const held = await tx
      .selectFrom('access_tokens')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('user_id', '=', accountId)
      .where('trust_id', 'is not', null)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow();
    if (held.n >= MOST)
      throw new AppError('rate_limited', `Jobs hold ${MOST} tokens that still work. Try again in some minutes.`, {
        retryAfter: 60,
      });
    const run = runOf(claims, trust.issuer);
    const name = `${trust.name}${run === '' ? '' : ` (${run})`}`;
    const expires_at = new Date(now.getTime() + LIFETIME);
    await tx
      .insertInto('access_tokens')
      .values({
        id,
        user_id: accountId,
        name,
        scopes: trust.scopes,
        ...secret,
        created_at: now,
        expires_at,
        trust_id: trustId,
      })
      .execute();
    await recordAudit(tx, accountId, { action: 'trust_used', at: now, detail: name, objectId: trustId });
    return answerOf({ id, token, name, scopes: trust.scopes, expires_at }, now);
  }
}

/** Adds for how many seconds it works, for callers whose clock is wrong. */
function answerOf(issued: Omit<Issued, 'expires_in'>, now: Date): Issued {
  return { ...issued, expires_in: Math.max(0, Math.floor((issued.expires_at.getTime() - now.getTime()) / SECOND)) };
}

const refused = (message: string) => new AppError('identity_refused', message);
