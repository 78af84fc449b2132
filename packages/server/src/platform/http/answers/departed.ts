import type { FastifyRequest } from 'fastify';

/** The errors of a request's work when it is given up. */
const CANCELED = '57014';
const BY_LIMIT = /statement timeout|lock timeout/;
const GIVEN_UP = new Set(['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * Whether a request failed only because its caller went away and its work was stopped. Any other error stays an
 * error, even when the caller is gone.
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
