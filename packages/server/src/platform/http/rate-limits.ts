import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';

/**
 * `points` calls in `seconds`. `shared` ones are counted in the database, so that any number of processes hold one
 * limit; the others are counted in each process, because a write for every call would cost more than the call.
 */
interface Policy {
  points: number;
  seconds: number;
  shared: boolean;
}

const policies = {
  /** Everything that has no policy of its own, per address. */
  api: { points: 1200, seconds: 60, shared: false },
  /** Addresses that no route takes: pages of the dashboard, and whatever is tried out on a server. */
  pages: { points: 600, seconds: 60, shared: false },
  /** Failed sign-ins from an address. */
  login: { points: 30, seconds: 15 * 60, shared: true },
  /** Failed sign-ins to an account from places that never signed in to it, all together; and guesses within a session. */
  login_account: { points: 10, seconds: 15 * 60, shared: true },
  /** Failed sign-ins from a device that signed in to the account before. */
  login_device: { points: 10, seconds: 15 * 60, shared: true },
  /** The same three, over a day. */
  login_day: { points: 100, seconds: 24 * 60 * 60, shared: true },
  /** Sign-ins with the right password, from one place. */
  sign_ins: { points: 60, seconds: 15 * 60, shared: true },
  register: { points: 20, seconds: 60 * 60, shared: true },
  password_reset: { points: 10, seconds: 60 * 60, shared: true },
  verify_email: { points: 30, seconds: 60 * 60, shared: true },
  /** Emails of each kind that anybody can have sent to an account. */
  account_email: { points: 3, seconds: 60 * 60, shared: true },
  redeem: { points: 60, seconds: 10 * 60, shared: true },
  redeem_account: { points: 30, seconds: 10 * 60, shared: true },
  my_products: { points: 20, seconds: 60 * 60, shared: true },
  my_products_account: { points: 5, seconds: 60 * 60, shared: true },
  /** Each is a picture to decode. Registration, which takes one from anybody, is limited more tightly as it is. */
  images: { points: 240, seconds: 10 * 60, shared: false },
  test_mail: { points: 10, seconds: 60 * 60, shared: true },
  /** Each asks the DNS. */
  domains: { points: 30, seconds: 10 * 60, shared: true },
  /** Plugins in a studio share an address, and validate at every start. */
  license: { points: 6000, seconds: 60, shared: false },
  /** Licences that do not exist: more than anybody mistypes. */
  license_guess: { points: 20, seconds: 10 * 60, shared: false },
  /** Each makes an RSA key file. */
  license_file: { points: 300, seconds: 60, shared: false },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof policies;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which limit applies to a route, per address. Default `api`; false for health checks, which must always answer. */
    rateLimit?: PolicyName | false;
  }
}

export class RateLimits {
  readonly #limiters = new Map<PolicyName, RateLimiterAbstract>();
  readonly enabled: boolean;

  constructor(options: { enabled: boolean; db: Database }) {
    this.enabled = options.enabled;
    if (!options.enabled) return;
    // through the database's own face, so that the limits of redemption use the connections of redemption
    const store = {
      query: async ({ name, text, values }: { name: string; text: string; values: unknown[] }) => ({
        rows: await options.db.prepared({ name, text }, values),
      }),
    };
    for (const [name, policy] of Object.entries(policies) as [PolicyName, Policy][]) {
      const shape = { keyPrefix: name, points: policy.points, duration: policy.seconds };
      this.#limiters.set(
        name,
        policy.shared
          ? new RateLimiterPostgres({
              ...shape,
              storeClient: store,
              storeType: 'pool',
              // who is over the limit costs no statement until it ends
              inMemoryBlockOnConsumed: policy.points + 1,
              tableName: 'rate_limits',
              tableCreated: true,
              clearExpiredByTimeout: false,
            })
          : new RateLimiterMemory(shape),
      );
    }
  }

  /**
   * Counts one call against a subject: an address or an account.
   * @throws {AppError} rate_limited, with the seconds to wait.
   */
  async take(name: PolicyName, subject: string, reply?: FastifyReply): Promise<void> {
    const limiter = this.#limiters.get(name);
    if (!this.enabled || !limiter) return;
    try {
      const state = await limiter.consume(hashed(subject));
      reply?.headers(limitHeaders(name, state));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(name, refusal);
    }
  }

  /**
   * Counts nothing, and refuses whom `take` has refused.
   * @throws {AppError} rate_limited, with the seconds to wait.
   */
  async assertAllowed(name: PolicyName, subject: string): Promise<void> {
    const state = await this.#limiters.get(name)?.get(hashed(subject));
    if (state && state.consumedPoints > policies[name].points) throw tooMany(name, state);
  }

  /** Takes one call back that was counted, because only failures are to count. */
  async giveBack(name: PolicyName, subject: string): Promise<void> {
    if (this.enabled) await this.#limiters.get(name)?.reward(hashed(subject));
  }

  /** Gives the subject its full allowance back, as after a login that succeeded. */
  async forgive(name: PolicyName, subject: string): Promise<void> {
    await this.#limiters.get(name)?.delete(hashed(subject));
  }
}

/** Holds every route to its policy per client address, before anything of the body is read. */
export function rateLimited(app: FastifyInstance, limits: RateLimits): void {
  app.addHook('onRequest', (request: FastifyRequest, reply, done) => {
    const policy = request.is404 ? 'pages' : (request.routeOptions.config.rateLimit ?? 'api');
    if (policy === false || !limits.enabled) return done();
    limits.take(policy, request.ip, reply).then(() => done(), done);
  });
}

// addresses and e-mails are not kept: only their hash reaches the store
function hashed(subject: string): string {
  return createHash('sha256').update(addressOf(subject)).digest('base64url').slice(0, 27);
}

/** Whom an address stands for; what is no address stands for itself. */
export function addressOf(subject: string): string {
  return isIPv6(subject) ? networkOf(subject) : subject;
}

/** Who has one address of version 6 has its whole network of 64 bits, and could call from another one each time. */
function networkOf(address: string): string {
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.parts.slice(0, 4).join(':');
}

/** Its answer names the limit that was hit, whichever other one the route has counted before. */
function tooMany(name: PolicyName, state: RateLimiterRes): AppError {
  const wait = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return new AppError('rate_limited', `Too many requests. Try again in ${wait} s.`, {
    retryAfter: wait,
    headers: limitHeaders(name, state),
  });
}

function limitHeaders(name: PolicyName, { msBeforeNext, remainingPoints }: RateLimiterRes): Record<string, string> {
  const { points, seconds } = policies[name];
  const reset = Math.max(0, Math.ceil(msBeforeNext / 1000));
  return {
    'ratelimit-policy': `"${name}";q=${points};w=${seconds}`,
    ratelimit: `"${name}";r=${Math.max(0, remainingPoints)};t=${reset}`,
  };
}
