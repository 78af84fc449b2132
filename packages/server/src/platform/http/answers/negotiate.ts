import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '#platform/errors.ts';

export type ResponseFormat = 'json' | 'csv' | 'ndjson';

/** Media types, with each parameter that a caller may specify. */
const types = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};
const EVERY = ['json', 'csv', 'ndjson'] as const;
const JSON_AND_CSV = ['json', 'csv'] as const;

/**
 * The format the caller likes best among JSON, CSV and NDJSON.
 * @throws {AppError} not_acceptable when none of them will do.
 */
export function preferred(request: FastifyRequest): ResponseFormat {
  return bestOf(request, EVERY) ?? refuse('Available formats: application/json, text/csv and application/x-ndjson.');
}

/**
 * The same for answers that have no NDJSON. A caller who likes that best and takes CSV too gets CSV.
 * @throws {AppError} not_acceptable when neither will do.
 */
export function jsonOrCsv(request: FastifyRequest): 'json' | 'csv' {
  return bestOf(request, JSON_AND_CSV) ?? refuse('Available formats: application/json and text/csv.');
}

/** @param formats in order of our preference, for callers without one. */
function bestOf<F extends ResponseFormat>(request: FastifyRequest, formats: readonly F[]): F | undefined {
  const best = String(request.type(formats.map((format) => types[format])));
  return formats.find((format) => types[format] === best);
}

function refuse(available: string): never {
  throw new AppError('not_acceptable', available);
}

/** All forms of an answer, for the contract: one JSON document, or a stream of lines. */
export const orStream = (json: z.ZodType, description: string) => ({
  description,
  content: {
    'application/json': { schema: json },
    'text/csv': { schema: z.string() },
    'application/x-ndjson': { schema: z.string() },
  },
});

/** JSON, or a CSV to be saved. */
export const orCsv = (json: z.ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema: json }, 'text/csv': { schema: z.string() } },
});

/** Marks the answer as a file that a browser saves under this name. */
export function asFile(reply: FastifyReply, form: 'csv' | 'ndjson', name: string): FastifyReply {
  const type = form === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8';
  return reply.type(type).header('content-disposition', `attachment; filename="${name}.${form}"`);
}

/** Aborts when the caller goes away before the answer is complete. */
export function abortSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
