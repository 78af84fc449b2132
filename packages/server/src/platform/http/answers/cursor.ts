import { invalidField } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';

/** Where the next page begins: opaque to the caller, a list of strings to us. */
function encodeCursor(...parts: string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws {AppError} invalid_request for a cursor that is not ours. */
export function decodeCursor(cursor: string | undefined, parts: number): string[] | null {
  if (cursor === undefined || cursor === '') return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && value.length === parts && value.every((part) => typeof part === 'string')) return value;
  } catch {
    // falls through to the refusal
  }
  throw invalidField('cursor', 'The cursor is not valid.');
}

/** A page of a list, and the cursor of the next one; null at the end. */
export interface Page<Row> {
  rows: Row[];
  next_cursor: string | null;
}

/**
 * Turns rows that were queried with one more than fits into a page: the extra row means that there is a next page.
 * @param keyOf what the list is ordered by; the id unless given.
 *
 * @example
 * const rows = await listBatches(db, filter, decodeIdCursor(query.cursor), query.limit + 1);
 * return pageOf(rows, query.limit);
 */
export function pageOf<Row extends { id: string | number }>(
  rows: readonly Row[],
  limit: number,
  keyOf: (last: Row) => string[] = ({ id }) => [String(id)],
): Page<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next_cursor: rows.length > limit && last ? encodeCursor(...keyOf(last)) : null };
}

/** For lists that are ordered by id alone. */
export function decodeIdCursor(cursor: string | undefined): string | null {
  const id = decodeCursor(cursor, 1)?.[0];
  if (id === undefined) return null;
  if (!isId(id)) throw invalidField('cursor', 'The cursor is not valid.');
  return id;
}

/** For lists that are ordered by a name and then by id. */
export function decodeNameCursor(cursor: string | undefined): { name: string; id: string } | null {
  const [name, id] = decodeCursor(cursor, 2) ?? [];
  if (name === undefined || id === undefined) return null;
  if (!isId(id) || name.includes('\0')) throw invalidField('cursor', 'The cursor is not valid.');
  return { name, id };
}

/** Where a page of what happened ended. */
export const placeOf = ({ at, kind, id }: { at: Date; kind: string; id: string }) => [at.toISOString(), kind, id];

/** For lists of what happened, which are ordered by the moment, and among the same by kind and id. */
export function decodeHappenedCursor(cursor: string | undefined): { at: string; kind: string; id: string } | null {
  const [at, kind, id] = decodeCursor(cursor, 3) ?? [];
  if (at === undefined || kind === undefined || id === undefined) return null;
  if (!isId(id) || Number.isNaN(Date.parse(at)) || !/^\w+$/.test(kind))
    throw invalidField('cursor', 'The cursor is not valid.');
  return { at, kind, id };
}
