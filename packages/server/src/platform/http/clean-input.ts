import type { FastifyInstance } from 'fastify';
import { invalidField } from '../errors.ts';

/** PostgreSQL cannot store NUL and lone surrogates are not text: refuse both before any route sees them. */
export function refuseUnstorableText(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    check(request.params, '');
    check(request.query, '');
    check(request.body, '');
    done();
  });
}

function check(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidField(path, 'NUL characters are not allowed.');
    if (!value.isWellFormed()) throw invalidField(path, 'The text is not valid Unicode.');
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) check(value[i], path === '' ? String(i) : `${path}.${i}`);
  } else if (value !== null && typeof value === 'object' && !Buffer.isBuffer(value) && !(value instanceof Date)) {
    for (const [key, inner] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      if (key.includes('\0')) throw invalidField(at, 'NUL characters are not allowed.');
      check(inner, at);
    }
  }
}
