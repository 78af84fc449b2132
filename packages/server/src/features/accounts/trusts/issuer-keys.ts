import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Clock, MINUTE } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { urlProblem } from '#platform/egress/url-rules.ts';
import { AppError } from '#platform/errors.ts';

/** A key that is withdrawn by its issuer is accepted for so long. */
const FRESH = 60 * MINUTE;
/** An issuer is asked no more often: neither by keys that it does not have, nor while it fails. */
const PAUSE = MINUTE;
const MOST_ISSUERS = 500;
const MOST_KEYS = 100;
const DISCOVERY_BYTES = 64 * 1024;
const KEYS_BYTES = 256 * 1024;
const MODULUS = { least: 2048, most: 8192 };

/** A key of an issuer, and the one algorithm that it signs by. */
export interface SigningKey {
  algorithm: 'RS256' | 'ES256';
  key: KeyObject;
}

interface Known {
  keys: ReadonlyMap<string, SigningKey> | null;
  /** When the keys were read. */
  readAt: number;
  askedAt: number;
  /** Why the last question had no answer. */
  failure: string | null;
}

interface Dependencies {
  egress: Egress;
  clock: Clock;
}

/** The keys of issuers, read from them through the filter for addresses that accounts choose, and kept for a while. */
export class IssuerKeys {
  readonly #deps: Dependencies;
  readonly #known = new LRUCache<string, Known>({ max: MOST_ISSUERS });
  readonly #coming = new Map<string, Promise<Known>>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * @returns undefined when the issuer has no such key.
   * @throws {AppError} unavailable when the issuer cannot be asked.
   */
  async find(issuer: string, kid: string): Promise<SigningKey | undefined> {
    const now = this.#deps.clock.now().getTime();
    const known = this.#known.get(issuer);
    const fresh = known?.keys && now - known.readAt < FRESH ? known.keys : null;
    const key = fresh?.get(kid);
    if (key) return key;
    const asked = known && now - known.askedAt < PAUSE ? known : await this.#ask(issuer, now);
    if (asked.failure !== null) {
      const retryAfter = Math.max(1, Math.ceil((asked.askedAt + PAUSE - now) / 1000));
      throw new AppError('unavailable', `${issuer} cannot be asked for its keys: ${asked.failure}`, { retryAfter });
    }
    return asked.keys?.get(kid);
  }

  /** All that wait for an issuer share one question. */
  #ask(issuer: string, now: number): Promise<Known> {
    const coming = this.#coming.get(issuer);
    if (coming) return coming;
    const before = this.#known.get(issuer);
    const asking = this.#read(issuer)
      .then(
        (keys): Known => ({ keys, readAt: now, askedAt: now, failure: null }),
        (error): Known => {
          if (!(error instanceof Unusable)) throw error;
          return { keys: before?.keys ?? null, readAt: before?.readAt ?? 0, askedAt: now, failure: error.message };
        },
      )
      .then((found) => {
        this.#known.set(issuer, found);
        return found;
      })
      .finally(() => this.#coming.delete(issuer));
    this.#coming.set(issuer, asking);
    return asking;
  }

  async #read(issuer: string): Promise<Map<string, SigningKey>> {
    const discovery = await this.#json(`${issuer}/.well-known/openid-configuration`, DISCOVERY_BYTES);
    if (discovery.issuer !== issuer) throw new Unusable('its discovery document is of another issuer.');
    const address = discovery.jwks_uri;
    // if another host were allowed, anyone who can change the document could name keys of their own
    if (typeof address !== 'string' || !URL.canParse(address) || new URL(address).origin !== new URL(issuer).origin)
      throw new Unusable('its discovery document names no keys on its own host.');
    if (urlProblem(address, this.#deps.egress.rules) !== null)
      throw new Unusable('the address of its keys cannot be used.');
    const { keys } = await this.#json(address, KEYS_BYTES);
    if (!Array.isArray(keys)) throw new Unusable('it has no list of keys.');
    const usable = keys.slice(0, MOST_KEYS).flatMap((jwk): [string, SigningKey][] => {
      const key = signingKey(jwk);
      return key ? [[String(jwk.kid), key]] : [];
    });
    return new Map(usable);
  }

  async #json(address: string, bytes: number): Promise<Record<string, unknown>> {
    const { error, text } = await this.#deps.egress.get(address, bytes);
    if (error !== null || text === null)
      throw new Unusable(`${new URL(address).pathname} was not answered (${error}).`);
    try {
      const parsed: unknown = JSON.parse(text);
      if (parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed))
        return parsed as Record<string, unknown>;
    } catch {
      // as any other text that is no object
    }
    throw new Unusable(`${new URL(address).pathname} is not JSON.`);
  }
}

/** An issuer does not answer as one. The message ends a sentence. */
class Unusable extends Error {}

/** A key that can sign identity tokens; null for any other. */
function signingKey(jwk: unknown): SigningKey | null {
  if (jwk === null || typeof jwk !== 'object') return null;
  const { kty, crv, alg, use, kid } = jwk as Record<string, unknown>;
  if (typeof kid !== 'string' || kid === '' || (use !== undefined && use !== 'sig')) return null;
  const algorithm = kty === 'RSA' ? 'RS256' : kty === 'EC' && crv === 'P-256' ? 'ES256' : null;
  if (algorithm === null || (alg !== undefined && alg !== algorithm)) return null;
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    const { modulusLength = MODULUS.least } = key.asymmetricKeyDetails ?? {};
    return modulusLength >= MODULUS.least && modulusLength <= MODULUS.most ? { algorithm, key } : null;
  } catch {
    return null;
  }
}
