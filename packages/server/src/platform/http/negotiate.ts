import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

export type Form = 'json' | 'csv' | 'ndjson';

const forms: Record<string, Form> = {
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
  'text/csv': 'csv',
  'text/*': 'csv',
  'application/x-ndjson': 'ndjson',
};

/**
 * The form of answer the caller likes best among JSON, CSV and NDJSON.
 * @throws {AppError} not_acceptable when none of them will do.
 */
export function preferred(request: FastifyRequest): Form {
  const header = request.headers.accept;
  if (!header) return 'json';
  const wishes = header
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { form: forms[type], quality: quality ? Number(quality.slice(2)) || 0 : 1 };
    })
    .filter((wish) => wish.form !== undefined && wish.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  const best = wishes[0]?.form;
  if (!best) throw new AppError('not_acceptable', 'This comes as application/json, text/csv or application/x-ndjson.');
  return best;
}

/** Aborts when the caller goes away before the answer is complete. */
export function abortSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
