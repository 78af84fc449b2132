import type { FastifyInstance } from 'fastify';
import { AppError } from '#platform/errors.ts';
import { ANSWERED_VERSIONS, API_VERSION } from '#platform/version.ts';

const HEADER = 'tonerow-api-version';

/**
 * Names the version of the API in every answer to it, and refuses requests that expect another one before they do anything. Not those of
 * plugins, which nobody can update: what they call does not break (decision 0116).
 */
export function apiVersion(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url = '', config } = request.routeOptions;
    if (!url.startsWith('/api/') || config.access?.as === 'plugin') return done();
    reply.header(HEADER, API_VERSION);
    const expected = request.headers[HEADER];
    if (expected === undefined || ANSWERED_VERSIONS.includes(String(expected))) return done();
    done(
      new AppError(
        'api_version_unsupported',
        `This server answers version ${API_VERSION} of the API, not the one that ${HEADER} names. Reload the dashboard, use the client of the server’s release, or leave the header out.`,
      ),
    );
  });
}
