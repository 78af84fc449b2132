import querystring from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf } from '../../platform/access/guard.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { logFailure, toAppError } from '../../platform/http/problem.ts';
import { LicenseRefusal, type LicenseStatus, licenseStatuses } from './license-status.ts';
import type { Credential } from './licensing.service.ts';

export const forms = ['application/json', 'application/x-www-form-urlencoded'];
export const legacyConfig = { access: { as: 'plugin' }, rateLimit: 'license' } as const;
/** For calls that make a key file: RSA costs a few milliseconds each. */
export const fileConfig = { access: { as: 'plugin' }, rateLimit: 'license_file' } as const;

/** What stock clients need of every route: bodies read for what they are, whatever their label says. */
export function looseBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => read(body));
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
}

/**
 * As in v1, or the legacy pair in the query. HISE appends a slash to what it posts to, and with a query that slash lands
 * in the last value: one is taken off.
 */
export function credentialOf(request: FastifyRequest): Credential | null {
  const query = request.query as Record<string, unknown> | undefined;
  const key = withoutSlash(query?.app_key);
  const developerId = withoutSlash(query?.app_id);
  return ofHeaders(request) ?? (key && developerId ? { key, developerId } : null);
}

/** Every refusal in the licensing API's own form. */
export function jsonRefusals(app: App): void {
  app.setErrorHandler((error, request, reply) => {
    const { code, status, message } = refusalOf(error, request, reply);
    return reply.code(code).type('application/json; charset=utf-8').send({ ok: false, status, error: message });
  });
}

/** The statuses that a refusal can have. */
export const refusalStatuses = [...new Set(Object.values(licenseStatuses).map(([status]) => status as number)), 413];

/** The failure as the licensing API names it, logged when it is a fault of ours. */
export function refusalOf(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof LicenseRefusal) {
    return { status: error.status, code: licenseStatuses[error.status][0] as number, message: error.message };
  }
  const failure = toAppError(error);
  logFailure(error, failure, request);
  if (failure.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(failure.retryAfter)));
  const status = byHttp[failure.status] ?? 'invalid_request';
  return { status, code: failure.status === 413 ? 413 : licenseStatuses[status][0], message: failure.message };
}

const byHttp: Record<number, LicenseStatus> = {
  404: 'not_found',
  429: 'rate_limited',
  500: 'server_error',
  503: 'unavailable',
};

function read(body: string): unknown {
  const trimmed = body.trim();
  if (!trimmed.startsWith('{')) return querystring.parse(trimmed);
  try {
    return JSON.parse(trimmed);
  } catch {
    throw new LicenseRefusal('invalid_request', 'The body is not valid JSON.');
  }
}

function ofHeaders(request: FastifyRequest): Credential | null {
  const bearer = bearerOf(request);
  if (bearer) return { key: bearer };
  const { 'x-ss-api-key': single, 'x-app-id': developerId, 'x-app-key': pair } = request.headers;
  if (typeof single === 'string') return { key: single };
  return typeof developerId === 'string' && typeof pair === 'string' ? { key: pair, developerId } : null;
}

function withoutSlash(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/\/$/, '') : undefined;
}
