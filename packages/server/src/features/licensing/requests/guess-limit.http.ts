import type { FastifyRequest } from 'fastify';
import { AppError } from '#platform/errors.ts';
import type { App } from '#platform/http/app-kit.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { limits as policies } from './limits.ts';
import type { Asker } from './plugin-caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Gives nothing to a machine without a seat, so whether its address is guessing matters only for what is refused.
     */
    neverBlocked?: true;
  }
  interface FastifyRequest {
    asker: Asker | null;
  }
}

/**
 * An address that names too many nonexistent licenses is guessing. For some minutes from then on it learns nothing:
 * every call is refused with the same message, whether the license exists or not. Only a machine that has a seat is
 * served as usual, on every route, because the guesser may share its address with a studio.
 * @returns the response to send instead of an error.
 */
export function guessing(app: App, limits: RateLimits) {
  app.decorateRequest('asker', null);
  app.addHook('preHandler', (request, _reply, done) => {
    const asker = new Address(limits, request);
    request.asker = asker;
    if (!limits.enabled || request.routeOptions.config.neverBlocked) return done();
    limits.assertAllowed(policies.license_guess, request.ip).then(
      () => done(),
      (refusal) => {
        asker.guessed = refusal;
        done();
      },
    );
  });
  return async (error: unknown, request: FastifyRequest): Promise<unknown> => {
    if (!(error instanceof LicenseRefusal)) return error;
    const { asker } = request;
    if (error.status === 'rate_limited' && asker?.guessed) return asker.guessed;
    if (harmlessStatuses.has(error.status) || asker?.isSeated) return error;
    try {
      if (error.status === 'not_found') await limits.take(policies.license_guess, request.ip);
      else await limits.assertAllowed(policies.license_guess, request.ip);
      return error;
    } catch (refusal) {
      return refusal;
    }
  };
}

/** These statuses reveal nothing about a license. */
const harmlessStatuses = new Set([
  'unauthorized',
  'invalid_request',
  'rate_limited',
  'pending',
  'slow_down',
  'denied',
  'code_expired',
  'code_required',
]);

/** The address that a request comes from. */
class Address implements Asker {
  guessed: Error | null = null;
  isSeated = false;
  readonly #limits: RateLimits;
  readonly #request: FastifyRequest;

  constructor(limits: RateLimits, request: FastifyRequest) {
    this.#limits = limits;
    this.#request = request;
  }

  begins(what: 'trial' | 'device' | 'seat_code'): Promise<void> {
    return this.#limits.take(policies[`license_${what}`], this.#request.ip);
  }

  async guesses(): Promise<void> {
    try {
      await this.#limits.take(policies.license_guess, this.#request.ip);
    } catch (refusal) {
      // the answer is the same for those who guess
      if (!(refusal instanceof AppError && refusal.code === 'rate_limited')) throw refusal;
    }
  }
}
