import type { FastifyReply } from 'fastify';
import type { Page } from './cursor.ts';

/** Answers a page as a plain list: its total, unless it was not counted, and the cursor of the next page go into headers. */
export function pageHeaders<Row>(
  reply: FastifyReply,
  { rows, total, next_cursor }: Page<Row> & { total: number | null },
) {
  if (total !== null) reply.header('x-total-count', String(total));
  if (next_cursor) reply.header('x-next-cursor', next_cursor);
  return rows;
}
