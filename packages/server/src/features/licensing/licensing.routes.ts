import querystring from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf } from '../../platform/access/guard.ts';
import type { CountryOf } from '../../platform/geo.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { logFailure, toAppError } from '../../platform/http/problem.ts';
import { signatureHeaders, wantedNonce } from './answer-signature.ts';
import { LicenseRefusal, type LicenseStatus, licenseStatuses } from './license-status.ts';
import * as s from './licensing.schemas.ts';
import type { Credential, Licensing } from './licensing.service.ts';

// one header says all that a plugin's answer needs; the page headers are for pages
const helmet = false;
const config = { access: { as: 'plugin' }, rateLimit: 'license' } as const;
const forms = ['application/json', 'application/x-www-form-urlencoded'];
const statuses = [...new Set(Object.values(licenseStatuses).map(([status]) => status)), 413];
/** Every answer has the same shape, whatever its status. */
const response = Object.fromEntries(statuses.map((status) => [status, s.LicenseAnswer])) as {
  200: typeof s.LicenseAnswer;
};

export function licensingRoutes(licensing: Licensing, countryOf: CountryOf) {
  return async (app: App): Promise<void> => {
    app.removeAllContentTypeParsers();
    // stock clients label their bodies wrongly, so the body itself says what it is
    app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
      readBody(body),
    );
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('x-content-type-options', 'nosniff');
      done();
    });
    app.setErrorHandler((error, request, reply) => refuse(error, request, reply));
    signedAnswers(app, licensing);

    app.post(
      '/api/license/v1/activate',
      {
        config,
        helmet,
        schema: {
          operationId: 'activateLicense',
          tags: ['licensing'],
          summary: 'Give a machine a seat',
          consumes: forms,
          body: s.ActivateBody,
          response,
        },
      },
      async (request) => licensing.activate(credentialOf(request), request.body, countryOf(request)),
    );

    app.post(
      '/api/license/v1/validate',
      {
        config,
        helmet,
        schema: {
          operationId: 'validateLicense',
          tags: ['licensing'],
          summary: 'Ask whether a machine may go on',
          consumes: forms,
          body: s.ValidateBody,
          response,
        },
      },
      async (request) => licensing.validate(credentialOf(request), request.body),
    );

    app.post(
      '/api/license/v1/deactivate',
      {
        config,
        helmet,
        schema: {
          operationId: 'deactivateLicense',
          tags: ['licensing'],
          summary: 'Free a machine’s seat',
          consumes: forms,
          body: s.DeactivateBody,
          response,
        },
      },
      async (request) => licensing.deactivate(credentialOf(request), request.body),
    );

    app.post(
      '/api/license/v1/transfer',
      {
        config,
        helmet,
        schema: {
          operationId: 'transferLicense',
          tags: ['licensing'],
          summary: 'Move a seat to a machine whose id has changed',
          description: 'Takes no seat. The old machine’s validation token shows that it was there.',
          consumes: forms,
          body: s.TransferBody,
          response,
        },
      },
      async (request) => licensing.transfer(credentialOf(request), request.body),
    );

    app.post(
      '/api/license/v1/trial',
      {
        config,
        helmet,
        schema: {
          operationId: 'startTrial',
          tags: ['licensing'],
          summary: 'Try a product on a machine, once',
          description: 'Asked again, it answers the same trial. Its token has the claim `trial`.',
          consumes: forms,
          body: s.TrialBody,
          response,
        },
      },
      async (request) => licensing.startTrial(credentialOf(request), request.body),
    );

    app.get(
      '/api/license/v1/time',
      {
        config,
        helmet,
        schema: {
          operationId: 'getLicenseTime',
          tags: ['licensing'],
          summary: 'The server’s time',
          response: { ...response, 200: s.LicenseTime },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store');
        return licensing.time(credentialOf(request));
      },
    );
  };
}

export function jwksRoutes(licensing: Licensing) {
  return async (app: App): Promise<void> => {
    app.setErrorHandler((error, request, reply) => refuse(error, request, reply));
    app.get(
      '/api/license/v1/jwks',
      {
        config: { access: { as: 'public' }, rateLimit: 'license' },
        schema: {
          operationId: 'getLicenseKeys',
          tags: ['licensing'],
          summary: 'The public keys that verify a developer’s validation tokens',
          querystring: s.JwksQuery,
          response: { ...response, 200: s.Jwks },
        },
      },
      async (request, reply) => {
        const keys = await licensing.jwks(request.query.dev);
        if (!keys) throw new LicenseRefusal('not_found', 'There is no such developer.');
        reply.header('cache-control', 'public, max-age=300');
        return { keys };
      },
    );
  };
}

/** Bearer, x-ss-api-key, or the pair of x-app-id (the developer's id) and x-app-key (the plugin key). */
function credentialOf(request: FastifyRequest): Credential | null {
  const bearer = bearerOf(request);
  if (bearer) return { key: bearer };
  const { 'x-ss-api-key': single, 'x-app-id': developerId, 'x-app-key': pair } = request.headers;
  if (typeof single === 'string') return { key: single };
  return typeof developerId === 'string' && typeof pair === 'string' ? { key: pair, developerId } : null;
}

/** Signs every answer for which that was asked, as `answer-signature.ts` says. */
function signedAnswers(app: App, licensing: Licensing): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const nonce = wantedNonce(request.headers);
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : null;
    if (nonce === null || body === null || reply.statusCode === 429) return done();
    const asked = { method: request.method, path: request.raw.url?.split('?', 1)[0] ?? '', nonce };
    // without the database nobody is known, and the refusal goes out as it is
    licensing
      .signerOf(credentialOf(request))
      .then((signer) => {
        // a reply is a promise of its own end: it must not be returned
        if (signer) reply.headers(signatureHeaders(asked, body, signer));
      })
      .then(
        () => done(),
        () => done(),
      );
  });
}

function readBody(body: string): unknown {
  const text = body.trim();
  if (!text.startsWith('{')) return querystring.parse(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new LicenseRefusal('invalid_request', 'The body is not valid JSON.');
  }
}

const byHttp: Record<number, LicenseStatus> = { 429: 'rate_limited', 503: 'unavailable', 500: 'server_error' };

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof LicenseRefusal) return send(reply, error.status, error.message);
  const failure = toAppError(error);
  logFailure(error, failure, request);
  if (failure.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(failure.retryAfter)));
  return send(
    reply,
    byHttp[failure.status] ?? 'invalid_request',
    failure.message,
    failure.status === 413 ? 413 : undefined,
  );
}

function send(
  reply: FastifyReply,
  status: LicenseStatus,
  error: string,
  code: number = licenseStatuses[status][0],
): FastifyReply {
  return reply.code(code).type('application/json; charset=utf-8').send({ ok: false, status, error });
}
