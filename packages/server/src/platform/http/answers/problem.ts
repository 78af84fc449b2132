import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors, ResponseSerializationError } from 'fastify-type-provider-zod';
import { isCutShort, isDatabaseAway } from '#platform/db/away.ts';
import { AppError, type ErrorCode, type FieldError, finalCodes, sentenceOf, sqlState } from '#platform/errors.ts';
import { MissingSecretError } from '#platform/secrets/secrets.ts';
import { isDiskFull, storageFull } from '#platform/storage/disk.ts';
import { plainFieldMessages } from '../input/field-messages.ts';
import { hasDeparted } from './departed.ts';
import { isForm, oauthError } from './oauth-error.ts';

/** Turns whatever was thrown into a problem document. Licensing routes bring an error handler of their own. */
export function problems(app: FastifyInstance): void {
  plainFieldMessages();
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = toAppError(error);
    logFailure(error, failure, request);
    return sendProblem(reply, failure);
  });
}

export function sendProblem(reply: FastifyReply, error: AppError): FastifyReply {
  retryHeaders(reply, error);
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  // the handler may have meant its answer to be kept
  reply.header('cache-control', 'no-store');
  const oauth = reply.request.routeOptions?.config?.oauth === true;
  return reply
    .code(error.status)
    .type(oauth && isForm(reply.request) ? 'application/json' : 'application/problem+json')
    .send({
      type: `/problems/${error.code}`,
      title: error.title,
      status: error.status,
      detail: error.message,
      code: error.code,
      message: error.message,
      request_id: reply.request.id,
      ...(error.errors ? { errors: error.errors } : {}),
      ...(error.available === undefined ? {} : { available: error.available }),
      ...(error.opensAt ? { opens_at: error.opensAt } : {}),
      ...(error.heldFor === undefined ? {} : { held_for: error.heldFor }),
      ...(oauth ? { error: oauthError(error.code) } : {}),
    });
}

/** Refuses a request that cannot be routed, such as an address with broken escapes. No hook has run. */
export function refuseUnroutable(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply.header('x-request-id', reply.request.id), toAppError(error));
}

/** Refuses bytes that are not HTTP, or have headers beyond what Node reads: there is no request, only a socket. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const [status, title] = unreadable[error.code ?? ''] ?? [400, 'The request is not valid'];
  const body = JSON.stringify({
    type: '/problems/malformed_body',
    title,
    status,
    detail: `${title}.`,
    code: 'malformed_body',
    message: `${title}.`,
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
  // a caller who neither reads nor closes must not keep the socket
  setTimeout(() => socket.destroy(), LAST_WORDS).unref();
}

const LAST_WORDS = 2000;

const unreadable: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long'],
};

/** The retry time or that there is none, and headers that the error itself provides, such as the limit that was exceeded. */
export function retryHeaders(reply: FastifyReply, error: AppError): void {
  reply.headers(error.headers);
  if (finalCodes.includes(error.code)) reply.header('x-should-retry', 'false');
  if (error.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(error.retryAfter)));
}

const CALLER_LEFT = 'the caller went away before the answer: what was at work was stopped';

export function logFailure(error: unknown, failure: AppError, request: FastifyRequest): void {
  if (failure.status >= 500 && hasDeparted(error, request)) {
    request.log.info({ code: 'caller_left', reason: error instanceof Error ? error.message : '' }, CALLER_LEFT);
  } else if (failure.status >= 500) request.log.error({ err: error, code: failure.code }, 'request failed');
  else request.log.debug({ code: failure.code, err: failure.cause }, 'request refused');
}

const byFastifyCode: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is too large.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed_body', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_body', 'The body does not match its Content-Length.'],
  FST_REQ_FILE_TOO_LARGE: ['payload_too_large', 'The file is too large.'],
  FST_FILES_LIMIT: ['payload_too_large', 'Too many files.'],
  FST_PARTS_LIMIT: ['payload_too_large', 'Too many parts.'],
  FST_FIELDS_LIMIT: ['payload_too_large', 'Too many fields.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported_media_type', 'Send multipart/form-data.'],
  FST_ERR_BAD_URL: ['malformed_body', 'The URL is not valid.'],
};

const FOREIGN_KEY_VIOLATION = '23503';

/** The form parser's message, which has no code, for a body that is not a form. */
const BROKEN_FORM = /^Multipart: Boundary not found$|unexpected end of multipart data$|^The needle can/i;

/** The error that the caller gets. Our own bugs become `internal`, a lost database becomes `unavailable`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return invalidRequest(error);
  if (error instanceof ResponseSerializationError) return new AppError('internal', undefined, { cause: error });
  const known = byFastifyCode[(error as { code?: string }).code ?? ''];
  if (known) return new AppError(known[0], known[1], { cause: error });
  if (error instanceof Error && BROKEN_FORM.test(error.message)) {
    return new AppError('malformed_body', 'The form is not valid.', { cause: error });
  }
  if (isDatabaseAway(error)) {
    return new AppError('unavailable', 'The database cannot be reached right now. Try again in a moment.', {
      cause: error,
      retryAfter: 2,
    });
  }
  if (error instanceof MissingSecretError) {
    return new AppError('unavailable', 'The server is missing one of its secrets. Its operator should check the log.', {
      cause: error,
      retryAfter: 60,
    });
  }
  if (sqlState(error) === FOREIGN_KEY_VIOLATION) {
    return new AppError('conflict', 'Something this depends on was just changed or deleted. Reload, then try again.', {
      cause: error,
    });
  }
  if (isCutShort(error)) {
    const message = 'This took too long and was stopped. Request less at a time, or try again in a moment.';
    return new AppError('unavailable', message, { cause: error, retryAfter: 5 });
  }
  if (isDiskFull(error)) return storageFull(error);
  const status = (error as { statusCode?: number }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('malformed_body', 'The request is not valid.', { cause: error });
  }
  return new AppError(
    'internal',
    'Something went wrong on our side. Try again, and include the request id if you report it.',
    {
      cause: error,
    },
  );
}

/** A cap, so that a small body cannot cause a large response. */
const MAX_ERRORS = 100;

function invalidRequest(error: unknown): AppError {
  const { validation, validationContext } = error as {
    validation: { instancePath: string; message?: string; keyword?: string; params?: { keys?: string[] } }[];
    validationContext?: string;
  };
  const errors: FieldError[] = validation.flatMap((item) => {
    const path = item.instancePath.replace(/^\//, '').replaceAll('/', '.');
    if (item.keyword === 'unrecognized_keys') {
      return (item.params?.keys ?? []).map((key) => ({
        path: path === '' ? key : `${path}.${key}`,
        message: 'Unknown field.',
      }));
    }
    return [{ path, message: item.message ?? 'Not valid.' }];
  });
  const [first] = errors;
  const where = validationContext === 'querystring' ? 'query' : (validationContext ?? 'body');
  const text = first ? sentenceOf(first.path || `The ${where}`, first.message) : 'The request is not valid.';
  return new AppError('invalid_request', text, { errors: errors.slice(0, MAX_ERRORS) });
}
