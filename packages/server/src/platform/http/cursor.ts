import { invalidField } from '../errors.ts';

/** Where the next page begins: opaque to the caller, a list of strings to us. */
export function encodeCursor(...parts: string[]): string {
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
  throw invalidField('cursor', 'This cursor is not one of ours.');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** For lists that are ordered by id alone. */
export function decodeIdCursor(cursor: string | undefined): string | null {
  const id = decodeCursor(cursor, 1)?.[0];
  if (id === undefined) return null;
  if (!UUID.test(id)) throw invalidField('cursor', 'This cursor is not one of ours.');
  return id;
}
