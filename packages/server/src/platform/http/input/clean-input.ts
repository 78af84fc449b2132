import type { FastifyInstance } from 'fastify';
import { AppError, invalidField } from '#platform/errors.ts';
import { composed } from '#platform/text/text.ts';
import { CONTROL, NO_CONTROL } from './control-characters.ts';

/** JSON bodies are limited where they are read; this is for whatever else may become a nested value. */
const MAX_DEPTH = 100;

/** A password is never shown, and may be of anything. */
const SECRET = /(^|[._])password$/;

/** Fields that are compared as they were typed, or belong to a machine that sent them so. */
const AS_SENT = /password$|machine/i;

/**
 * Text is kept and looked for in its composed form, whichever a keyboard or a file sent. After the hooks that read forms and
 * before the schemas, which count characters. What a plugin sends is cleaned field by field: a token is made for its machine's
 * id as it was sent.
 */
export function composeText(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.access?.as === 'plugin') return;
    route.preValidation = [
      ...[route.preValidation ?? []].flat(),
      (request, _reply, done) => {
        for (const part of [request.params, request.query, request.body]) compose(part, 0);
        done();
      },
    ];
  });
}

function compose(value: unknown, depth: number): void {
  // the check refuses values that nest deeper
  if (depth > MAX_DEPTH || value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return;
  const within = value as Record<string, unknown>;
  for (const [key, inner] of Object.entries(within)) {
    if (AS_SENT.test(key)) continue;
    if (typeof inner === 'string') within[key] = composed(inner);
    else compose(inner, depth + 1);
  }
}

/**
 * PostgreSQL cannot store NUL and lone surrogates are not text: refuse both before any route sees them. What is stored
 * is shown in terminals and emails, too, so a body has no control characters; those that a plugin reports are cleaned.
 */
export function refuseUnstorableText(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    check(request.params, '', 0);
    check(request.query, '', 0);
    check(request.body, '', 0, request.routeOptions.config.access?.as !== 'plugin');
    done();
  });
}

function check(value: unknown, path: string, depth: number, plain = false): void {
  if (depth > MAX_DEPTH) throw new AppError('malformed_body', 'The body is nested too deeply.');
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidField(path, 'NUL characters are not allowed.');
    if (!value.isWellFormed()) throw invalidField(path, 'The text is not valid Unicode.');
    if (plain && CONTROL.test(value) && !SECRET.test(path)) throw invalidField(path, NO_CONTROL);
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1)
      check(value[i], path === '' ? String(i) : `${path}.${i}`, depth + 1, plain);
  } else if (value !== null && typeof value === 'object' && !Buffer.isBuffer(value) && !(value instanceof Date)) {
    for (const [key, inner] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      if (key.includes('\0')) throw invalidField(at, 'NUL characters are not allowed.');
      if (!key.isWellFormed()) throw invalidField(at, 'The text is not valid Unicode.');
      check(inner, at, depth + 1, plain);
    }
  }
}
