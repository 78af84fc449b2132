import { z } from 'zod';
import { refuseDeepJson } from '#platform/http/input/json-body.ts';
import type { Reading } from './port.ts';

/** A JSON body as an object; null for anything else, and for nesting so deep that reading it would overflow. */
export function bodyIn(body: Buffer): Record<string, unknown> | null {
  const text = body.toString('utf8');
  try {
    refuseDeepJson(text);
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    // whatever it is, it is none of ours
    return null;
  }
}

/** An id of the shop's own, as a text that can be kept; null: there is none. */
export function idIn(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text !== '' && text.length <= 200 && text.isWellFormed() && !/\p{Cc}/u.test(text) ? text : null;
}

/** The problem with a shop's delivery, in a few words. */
export function problemIn(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.join('.') || 'The body';
  return `${path}: ${issue?.message ?? 'not as expected'}`.slice(0, 300);
}

/** A field of a text that may be missing or blank. */
export const Text = z
  .string()
  .nullish()
  .transform((text) => text?.trim() || null);
/** An id, which some shops have as numbers. */
export const AnyId = z.union([z.string(), z.number()]).transform(String);
export const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
/** A whole number of the smallest unit, which some shops have as text. */
export const Minor = z
  .union([z.int(), z.string().regex(/^-?\d{1,15}$/)])
  .transform(Number)
  .pipe(z.int());

/** A whole name in two parts. */
export function namesIn(name: string | null | undefined): { firstName: string | null; lastName: string | null } {
  const [first = '', ...rest] = (name ?? '').trim().split(/\s+/);
  return { firstName: first || null, lastName: rest.join(' ') || null };
}

/** The reading, or why it can't be used. */
export function readAs<T>(schema: z.ZodType<T>, json: unknown, then: (value: T) => Reading): Reading {
  const read = schema.safeParse(json);
  return read.success ? then(read.data) : { unusable: problemIn(read.error) };
}

export const OTHER_SECRET = 'It is signed with another secret, or its body was changed on the way.';
