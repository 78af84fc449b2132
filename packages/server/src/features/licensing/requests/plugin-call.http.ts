import querystring from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { PluginKeys } from '#features/plugin-keys';
import { bearerOf } from '#platform/access/bearer.ts';
import { AppError } from '#platform/errors.ts';
import { logFailure, retryHeaders, toAppError } from '#platform/http/answers/problem.ts';
import type { App } from '#platform/http/app-kit.ts';
import { isEncoded, refuseDeepJson } from '#platform/http/input/json-body.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { askedWith, workFor } from '#platform/work-context.ts';
import {
  isWaiting,
  LicenseAnswer,
  LicenseRefusal,
  type LicenseStatus,
  licenseStatuses,
} from '../rules/license-status.ts';
import { type Signer, signatureHeaders, wantedNonce } from '../tokens/answer-signature.ts';
import { guessing } from './guess-limit.http.ts';
import type { LicenseFigures } from './license-figures.ts';
import { limits as policies } from './limits.ts';
import type { Credential, PluginCaller } from './plugin-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once it has been looked up. */
    pluginCaller: Promise<PluginCaller | undefined> | null;
  }
}

/** What all routes for plugins share: parsing, authentication, refusals and signatures. */

export const forms = ['application/json', 'application/x-www-form-urlencoded'];
export const pluginConfig = { access: { as: 'plugin' }, rateLimit: policies.license } as const;
/** The config of calls that a plugin on stage depends on. */
export const neverBlockedConfig = { ...pluginConfig, neverBlocked: true } as const;
/** The config of calls that make a key file: RSA costs a few milliseconds each. */
export const fileConfig = { access: { as: 'plugin' }, rateLimit: policies.license_file } as const;

/** The statuses that an answer can have. */
export const answerStatuses = [
  ...new Set(Object.values(licenseStatuses).map(([status]) => status as number)),
  413,
  415,
];
/** Every answer has the same shape, whatever its status. */
export const sameAnswer = answersWith(LicenseAnswer);

/** One that can have more than others. */
export function answersWith<Answer extends z.ZodType>(answer: Answer): { 200: Answer } {
  const all = answerStatuses.map((status) => [status, status === 200 ? answer : LicenseAnswer]);
  return Object.fromEntries(all) as { 200: Answer };
}

type CredentialOf = (request: FastifyRequest) => Credential | null;
/** Undefined when the credential is unknown. */
type FindCaller = (request: FastifyRequest) => Promise<PluginCaller | undefined>;
/** @throws {LicenseRefusal} unauthorized */
export type CallerOf = (request: FastifyRequest) => Promise<PluginCaller>;

type Refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Hooks and error handling around every plugin call. */
export interface LicenseGuards {
  signers: {
    /** The key that signs a developer's answers. */
    signerOf(developerId: string): Promise<Signer>;
  };
  pluginKeys: PluginKeys;
  limits: RateLimits;
  licenseFigures: LicenseFigures;
}

/**
 * The contract's text on signed answers. As parameters of the routes, the headers would be checked, and what the stock
 * clients send must not be.
 */
const SIGNED =
  'With the header `X-Tonerow-Nonce` (8 to 128 of `A-Z a-z 0-9 _ -`) or `X-Tonerow-Sign: 1` the answer is signed: see “Signed answers” in examples/README.md, and the SDK’s `verifyAnswer`.';

/** Makes an encapsulated app one of the licensing API. @returns who calls. */
export function licenseRequests(
  app: App,
  { signers, pluginKeys, limits, licenseFigures }: LicenseGuards,
  how: { credentialOf: CredentialOf; refuse?: Refuse },
): CallerOf {
  looseBodies(app);
  app.addHook('onRoute', ({ schema, method }) => {
    // the head of a route has its schema
    if (schema && method !== 'HEAD') schema.description = [schema.description, SIGNED].filter(Boolean).join(' ');
  });
  const refuse = how.refuse ?? refuseInJson;
  const hidden = guessing(app, limits);
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = await hidden(error, request);
    const status = statusOf(refusal);
    if (!isWaiting(status)) {
      licenseFigures.refused(request.routeOptions.schema?.operationId ?? 'unknown', status);
      // looked up before it was refused, or a stranger
      const caller = await request.pluginCaller?.catch(() => undefined);
      if (caller) pluginKeys.usage.refused(caller.keyId);
    }
    return refuse(refusal, request, reply);
  });
  const findCaller = pluginCallers(app, pluginKeys, how.credentialOf);
  signedAnswers(app, signers, findCaller);
  return refusingStrangers(findCaller);
}

/** The route of a call, on an app of the licensing API. */
export type PluginRoute = (app: App, callerOf: CallerOf) => unknown;

/** The calls of v1. */
export function pluginCalls(guards: LicenseGuards, ...routes: readonly PluginRoute[]) {
  return async (app: App): Promise<void> => {
    const callerOf = licenseRequests(app, guards, { credentialOf });
    for (const route of routes) route(app, callerOf);
  };
}

/** Resolves the credential of a request once, however often its caller is needed. */
function pluginCallers(app: App, pluginKeys: PluginKeys, credentialOf: CredentialOf): FindCaller {
  app.decorateRequest('pluginCaller', null);
  const resolve = async (request: FastifyRequest): Promise<PluginCaller | undefined> => {
    const credential = credentialOf(request);
    const key = credential === null ? undefined : await pluginKeys.find(credential.key);
    if (!key || (credential?.developerId ?? key.developer_id) !== key.developer_id) return undefined;
    workFor(key.developer_id);
    askedWith({ kind: 'plugin_key', id: key.id, accountId: key.developer_id });
    pluginKeys.usage.called(key.id);
    return { developerId: key.developer_id, keyId: key.id, isTest: key.is_test, asker: request.asker };
  };
  return (request) => {
    request.pluginCaller ??= resolve(request);
    return request.pluginCaller;
  };
}

function refusingStrangers(find: FindCaller): CallerOf {
  return async (request) => {
    const caller = await find(request);
    if (!caller) throw new LicenseRefusal('unauthorized');
    return caller;
  };
}

/** Bearer, x-ss-api-key, or the pair of x-app-id (the developer's id) and x-app-key (the plugin key). */
export function credentialOf(request: FastifyRequest): Credential | null {
  const bearer = bearerOf(request);
  if (bearer) return { key: bearer };
  const { 'x-ss-api-key': single, 'x-app-id': developerId, 'x-app-key': pair } = request.headers;
  if (typeof single === 'string') return { key: single };
  return typeof developerId === 'string' && typeof pair === 'string' ? { key: pair, developerId } : null;
}

/**
 * The same, or the legacy pair app_id and app_key in the query or in the body: JUCE moves the query of an address into
 * the form that it posts. HISE appends a slash to what it posts to, and with a query that slash lands in the last
 * value: one is taken off.
 */
export function legacyCredentialOf(request: FastifyRequest): Credential | null {
  const key = pairField(request, 'app_key');
  const developerId = pairField(request, 'app_id');
  return credentialOf(request) ?? (key && developerId ? { key, developerId } : null);
}

function pairField({ query, body }: FastifyRequest, name: 'app_id' | 'app_key'): string | undefined {
  for (const place of [query, body] as (Record<string, unknown> | null | undefined)[]) {
    const sent = place?.[name];
    const value: unknown = Array.isArray(sent) ? sent[0] : sent;
    if (typeof value === 'string' && value !== '') return value.replace(/\/$/, '');
  }
  return undefined;
}

/** Every refusal in the licensing API's own form. */
export const refuseInJson: Refuse = (error, request, reply) => {
  const { code, status, message } = refusalOf(error, request, reply);
  return reply.code(code).type('application/json; charset=utf-8').send({ ok: false, status, error: message });
};

/** The failure as the licensing API names it, logged when it is an error on our side. */
export function refusalOf(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof LicenseRefusal) {
    return { status: error.status, code: licenseStatuses[error.status][0] as number, message: error.message };
  }
  const failure = toAppError(error);
  logFailure(error, failure, request);
  retryHeaders(reply, failure);
  const status = statusOf(failure);
  return {
    status,
    code: aboutBody.has(failure.status) ? failure.status : licenseStatuses[status][0],
    message: sentenceOf(failure),
  };
}

/**
 * Customers read this: the field's own message without the field's name, and never a validator's message about the
 * body.
 */
function sentenceOf({ errors, message }: AppError): string {
  const [first] = errors ?? [];
  if (!first) return message;
  return first.path === '' ? 'The plugin sent an unreadable request.' : first.message;
}

function statusOf(error: unknown): LicenseStatus {
  return error instanceof LicenseRefusal ? error.status : (byHttp[toAppError(error).status] ?? 'invalid_request');
}

const byHttp: Record<number, LicenseStatus> = {
  404: 'not_found',
  409: 'not_found',
  429: 'rate_limited',
  500: 'server_error',
  503: 'unavailable',
  507: 'unavailable',
};

/** Statuses that mean more than that a body is not valid. */
const aboutBody: ReadonlySet<number> = new Set([413, 415]);

/** Every other byte of the first characters, which are of JSON or a form, is null. */
const SIXTEEN = /^\ufffd{0,2}(?:[^\0]\0|\0[^\0])/;

/** Refuses a body that cannot be read in any way; it would seem to lack every field. */
function refuseUnreadable(request: FastifyRequest, text: string): void {
  const type = request.headers['content-type'] ?? '';
  const refuse = (message: string) => {
    throw new AppError('unsupported_media_type', message);
  };
  // gzip begins with this, even when no header names it
  if (isEncoded(request) || text.startsWith('\u001f')) refuse('Send the request uncompressed.');
  if (/charset\s*=\s*"?utf-?(?:16|32)/i.test(type) || SIXTEEN.test(text)) refuse('Send the request in UTF-8.');
  if (/^multipart\//i.test(type) && text.startsWith('--'))
    refuse('Send JSON or application/x-www-form-urlencoded, not multipart.');
}

/** Stock clients send the wrong content type, so the body itself determines the format. */
function looseBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (request: FastifyRequest, body: string) => {
    const text = body.trim();
    refuseUnreadable(request, text);
    if (!text.startsWith('{')) return querystring.parse(text);
    refuseDeepJson(text);
    try {
      return JSON.parse(text);
    } catch {
      throw new LicenseRefusal('invalid_request', 'The body is not valid JSON.');
    }
  });
}

/** Signs every response for which a signature was requested; see `answer-signature.ts`. */
function signedAnswers(app: App, signers: LicenseGuards['signers'], findCaller: FindCaller): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const nonce = wantedNonce(request.headers);
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : null;
    if (nonce === null || body === null || reply.statusCode === 429) return done();
    const asked = { method: request.method, path: request.raw.url?.split('?', 1)[0] ?? '', nonce };
    // without the database the caller is unknown, and the refusal is sent unsigned
    findCaller(request)
      .then((caller) => caller && signers.signerOf(caller.developerId))
      .then((signer) => {
        // a reply is a thenable that resolves when it ends: it must not be returned
        if (signer) reply.headers(signatureHeaders(asked, body, signer));
      })
      .then(
        () => done(),
        () => done(),
      );
  });
}
