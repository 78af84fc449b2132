import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '#platform/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Clients of OAuth call it: a problem has their `error` as well (RFC 6749, section 5.2, and RFC 8628, section 3.5). */
    oauth?: true;
  }
}

const OAUTH: Partial<Record<ErrorCode, string>> = {
  authorization_pending: 'authorization_pending',
  slow_down: 'slow_down',
  access_denied: 'access_denied',
  expired_token: 'expired_token',
  invalid_grant: 'invalid_grant',
  unsupported_grant_type: 'unsupported_grant_type',
  rate_limited: 'slow_down',
  busy: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  storage_full: 'temporarily_unavailable',
  internal: 'server_error',
};

/** Whether it comes as a form, which is OAuth’s way. Libraries for it read no other problem than JSON (RFC 6749, section 5.2). */
export const isForm = ({ headers }: FastifyRequest): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');

/** A problem in the words of OAuth. */
export const oauthError = (code: ErrorCode): string => OAUTH[code] ?? 'invalid_request';
