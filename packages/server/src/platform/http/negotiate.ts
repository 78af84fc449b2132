import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../errors.ts';

export type ResponseFormat = 'json' | 'csv' | 'ndjson';

const forms = new Map<string, ResponseFormat>([
  ['application/json', 'json'],
  ['application/*', 'json'],
  ['*/*', 'json'],
  ['text/csv', 'csv'],
  ['text/*', 'csv'],
  ['application/x-ndjson', 'ndjson'],
]);

/**
 * The form of answer the caller likes best among JSON, CSV and NDJSON.
 * @throws {AppError} not_acceptable when none of them will do.
 */
export function preferred(request: FastifyRequest): ResponseFormat {
  const header = request.headers.accept;
  if (!header) return 'json';
  const wishes = header
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { form: forms.get(type), quality: quality ? Number(quality.slice(2)) || 0 : 1 };
    })
    .filter((wish) => wish.form !== undefined && wish.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  const best = wishes[0]?.form;
  if (!best)
    throw new AppError('not_acceptable', 'Available formats: application/json, text/csv and application/x-ndjson.');
  return best;
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
