import { invalidField } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import { isDay } from '#platform/time/days.ts';

/** The start of the next page: opaque to the caller, a list of strings to us. */
function encodeCursor(...parts: string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Checks a part of a cursor. Only we make cursors, but everybody can change them. */
type Part = (text: string) => boolean;
type Parts<Shape extends readonly Part[]> = { -readonly [At in keyof Shape]: string };

/** A text that the database can hold. */
export const isText: Part = (text) => !text.includes('\0') && text.isWellFormed();
export const isMoment: Part = (text) =>
  /^.{10}T\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));

/**
 * The parts of a cursor, each of the kind that its place in the shape demands; null: the list begins.
 * @throws {AppError} invalid_request for a cursor that is not ours.
 * @example decodeCursor(query.cursor, [isMoment, isId])
 */
export function decodeCursor<const Shape extends readonly Part[]>(
  cursor: string | undefined,
  shape: Shape,
): Parts<Shape> | null {
  if (cursor === undefined || cursor === '') return null;
  const parts = partsIn(cursor);
  if (parts.length === shape.length && shape.every((isPart, at) => isPart(parts[at] as string)))
    return parts as Parts<Shape>;
  throw invalidField('cursor', 'The cursor is not valid.');
}

function partsIn(cursor: string): string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : [];
  } catch {
    return [];
  }
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

/** The total of a list that was not counted. */
export const uncounted = ({ rows }: Page<unknown>) => ({ total: rows.length, total_exact: false });

/** Decodes cursors of lists that are ordered by id alone. */
export const decodeIdCursor = (cursor: string | undefined): string | null => decodeCursor(cursor, [isId])?.[0] ?? null;

/** Decodes cursors of lists that are ordered by a name and then by id. */
export function decodeNameCursor(cursor: string | undefined): { name: string; id: string } | null {
  const [name, id] = decodeCursor(cursor, [isText, isId]) ?? [];
  return name === undefined || id === undefined ? null : { name, id };
}

/** The cursor of a page of a history, from its last entry. */
export const placeOf = ({ at, kind, id }: { at: Date; kind: string; id: string }) => [at.toISOString(), kind, id];

/** Decodes cursors of histories, which are ordered by the moment, and within the same moment by kind and id. */
export function decodeHappenedCursor(cursor: string | undefined): { at: string; kind: string; id: string } | null {
  const [at, kind, id] = decodeCursor(cursor, [isMoment, (text) => /^\w+$/.test(text), isId]) ?? [];
  return at === undefined || kind === undefined || id === undefined ? null : { at, kind, id };
}
