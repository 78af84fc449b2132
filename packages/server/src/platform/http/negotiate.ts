import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../errors.ts';

export type ResponseFormat = 'json' | 'csv' | 'ndjson';

/** In order of our preference, for callers without one; with each parameter that a caller may specify. */
const formats: Record<string, ResponseFormat> = {
  'application/json; charset=utf-8': 'json',
  'text/csv; charset=utf-8; header=present': 'csv',
  'application/x-ndjson; charset=utf-8': 'ndjson',
};

/**
 * The format the caller likes best among JSON, CSV and NDJSON.
 * @throws {AppError} not_acceptable when none of them will do.
 */
export function preferred(request: FastifyRequest): ResponseFormat {
  const format = formats[String(request.type(Object.keys(formats)))];
  if (!format)
    throw new AppError('not_acceptable', 'Available formats: application/json, text/csv and application/x-ndjson.');
  return format;
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
