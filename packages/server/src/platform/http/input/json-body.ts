import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#platform/errors.ts';

/** No body of the contract nests deeper than 4. */
const MAX_DEPTH = 32;

const QUOTE = 34;
const BACKSLASH = 92;
// `[` and `{`, `]` and `}` differ in this bit alone
const BRACE = 32;
const OPEN = 91 | BRACE;
const CLOSE = 93 | BRACE;

/**
 * Refuses JSON that nests too deeply before anything is built from it: `JSON.parse` survives any depth, but whatever
 * recurses over its result (checks, schemas, fingerprints, logs) overflows the stack. Text that is not JSON passes.
 * @throws {AppError} malformed_body
 */
export function refuseDeepJson(text: string): void {
  if (isFlat(text)) return;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (quoted) {
      if (char === BACKSLASH) i += 1;
      else if (char === QUOTE) quoted = false;
    } else if (char === QUOTE) {
      quoted = true;
    } else if ((char | BRACE) === OPEN) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new AppError('malformed_body', 'The JSON is nested too deeply.');
    } else if ((char | BRACE) === CLOSE) {
      depth -= 1;
    }
  }
}

/** Whether it is one object and no list, such as what plugins send: seen at once, by a search for one character. */
function isFlat(text: string): boolean {
  return !text.includes('[') && !text.includes('{', text.indexOf('{') + 1);
}

/** Whether the body is compressed, which no route takes. */
export function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding !== '' && encoding !== 'identity';
}

/** The only reader of JSON bodies, on unknown addresses too. Licensing routes read theirs with the same limit. */
export function jsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isEncoded(request)) return done(new AppError('unsupported_media_type', 'Send JSON without Content-Encoding.'));
    // clients with a fixed header label an empty body too
    if (body === '') return done(null, undefined);
    try {
      refuseDeepJson(body as string);
    } catch (error) {
      return done(error as AppError);
    }
    return parse(request, body as string, done);
  });
}
