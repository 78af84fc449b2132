import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';
import { addressOf } from '#platform/network/addresses.ts';
import { tables } from '#platform/tables.ts';

/**
 * `points` calls in `seconds`. `shared` ones are counted in the database, so that any number of processes hold one
 * limit; the others are counted in each process, because a write for every call would cost more than the call.
 */
interface Limit {
  points: number;
  seconds: number;
  shared: boolean;
}

/** A limit with its name, which callers see in the header `RateLimit-Policy`. */
export interface RateLimitPolicy extends Limit {
  name: string;
}

/** The limits of a feature, each under its name. Names are one space for all features. */
export function rateLimitPolicies<Name extends string>(limits: Record<Name, Limit>): Record<Name, RateLimitPolicy> {
  const named = Object.entries<Limit>(limits).map(([name, limit]) => [name, { name, ...limit }]);
  return Object.fromEntries(named);
}

const general = rateLimitPolicies({
  /** Everything that has no policy of its own, per address. */
  api: { points: 1200, seconds: 60, shared: false },
  /** Addresses that no route takes: pages of the dashboard, and whatever is tried out on a server. */
  pages: { points: 600, seconds: 60, shared: false },
});

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The limit of a route, per address. Default `api`; false for health checks, which must always answer.
     */
    rateLimit?: RateLimitPolicy | false;
  }
}

type Store = ConstructorParameters<typeof RateLimiterPostgres>[0]['storeClient'];

interface Counted {
  policy: RateLimitPolicy;
  limiter: RateLimiterAbstract;
}

export class RateLimits {
  readonly #counted = new Map<string, Counted>();
  readonly #store: Store;
  readonly #db: Database;
  readonly enabled: boolean;

  constructor(options: { enabled: boolean; db: Database }) {
    this.enabled = options.enabled;
    this.#db = options.db;
    // through the database's own face, so that the limits of redemption use the connections of redemption
    this.#store = {
      query: async ({ name, text, values }: { name: string; text: string; values: unknown[] }) => ({
        rows: (await options.db.send({ name, text, values, feature: tables.feature })).rows,
      }),
    };
  }

  /** Hourly: deletes counts of windows that are over. */
  async expire(now: Date): Promise<void> {
    await tables.in(this.#db).deleteFrom('rate_limits').where('expire', '<=', now.getTime()).execute();
  }

  #limiter(policy: RateLimitPolicy): RateLimiterAbstract {
    const known = this.#counted.get(policy.name);
    if (known && known.policy !== policy) throw new Error(`two rate limits are called ${policy.name}`);
    if (known) return known.limiter;
    const limiter = limiterOf(policy, this.#store);
    this.#counted.set(policy.name, { policy, limiter });
    return limiter;
  }

  /**
   * Counts one call against a subject: an address or an account.
   * @throws {AppError} rate_limited, with the seconds to wait.
   */
  async take(policy: RateLimitPolicy, subject: string, reply?: FastifyReply): Promise<void> {
    if (!this.enabled) return;
    try {
      const state = await this.#limiter(policy).consume(hashed(subject));
      reply?.headers(limitHeaders(policy, state));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(policy, refusal);
    }
  }

  /**
   * Counts nothing, and refuses the callers that `take` is refusing.
   * @throws {AppError} rate_limited, with the seconds to wait.
   */
  async assertAllowed(policy: RateLimitPolicy, subject: string): Promise<void> {
    if (!this.enabled) return;
    const state = await this.#limiter(policy).get(hashed(subject));
    if (state && state.consumedPoints > policy.points) throw tooMany(policy, state);
  }

  /** Takes one call back that was counted, because only failures are to count. */
  async giveBack(policy: RateLimitPolicy, subject: string): Promise<void> {
    if (this.enabled) await this.#limiter(policy).reward(hashed(subject));
  }

  /** Gives the subject its full allowance back, as after a login that succeeded. */
  async forgive(policy: RateLimitPolicy, subject: string): Promise<void> {
    if (this.enabled) await this.#limiter(policy).delete(hashed(subject));
  }
}

function limiterOf({ name, points, seconds, shared }: RateLimitPolicy, store: Store): RateLimiterAbstract {
  const shape = { keyPrefix: name, points, duration: seconds };
  if (!shared) return new RateLimiterMemory(shape);
  return new RateLimiterPostgres({
    ...shape,
    storeClient: store,
    storeType: 'pool',
    // a caller over the limit costs no statement until the limit ends
    inMemoryBlockOnConsumed: points + 1,
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

/** Holds every route to its policy per client address, before anything of the body is read. */
export function rateLimited(app: FastifyInstance, limits: RateLimits): void {
  app.addHook('onRequest', (request: FastifyRequest, reply, done) => {
    const policy = request.is404 ? general.pages : (request.routeOptions.config.rateLimit ?? general.api);
    if (policy === false || !limits.enabled) return done();
    limits.take(policy, request.ip, reply).then(() => done(), done);
  });
}

// addresses and emails are not kept: only their hash reaches the store
function hashed(subject: string): string {
  return createHash('sha256').update(addressOf(subject)).digest('base64url').slice(0, 27);
}

/** Nobody counts to 3,000 seconds. */
const waitWords = (seconds: number) => (seconds <= 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`);

/** Its answer names the limit that was hit, whichever other one the route has counted before. */
function tooMany(policy: RateLimitPolicy, state: RateLimiterRes): AppError {
  const wait = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return new AppError('rate_limited', `Too many requests. Try again in ${waitWords(wait)}.`, {
    retryAfter: wait,
    headers: limitHeaders(policy, state),
  });
}

function limitHeaders(
  { name, points, seconds }: RateLimitPolicy,
  { msBeforeNext, remainingPoints }: RateLimiterRes,
): Record<string, string> {
  const reset = Math.max(0, Math.ceil(msBeforeNext / 1000));
  return {
    'ratelimit-policy': `"${name}";q=${points};w=${seconds}`,
    ratelimit: `"${name}";r=${Math.max(0, remainingPoints)};t=${reset}`,
  };
}
