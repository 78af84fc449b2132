import type { FastifyRequest } from 'fastify';

/** What the work of a request fails with when it is given up. */
const CANCELED = '57014';
const BY_LIMIT = /statement timeout|lock timeout/;
const GIVEN_UP = new Set(['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * Whether a request failed for nothing but that its caller went away: what was at work for them was stopped. Another error stays
 * one, whoever is still there to be told.
 */
export const hasDeparted = (error: unknown, request: FastifyRequest): boolean =>
  request.raw.socket.destroyed && isGivenUp(error);

function isGivenUp(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const { code } = e as { code?: unknown };
    if (e.name === 'AbortError' || (typeof code === 'string' && GIVEN_UP.has(code))) return true;
    // Node's error of a body that broke off; that of a database's connection names what failed
    if (code === 'ECONNRESET' && e.message === 'aborted') return true;
    if (code === CANCELED) return !BY_LIMIT.test(e.message);
  }
  return false;
}
