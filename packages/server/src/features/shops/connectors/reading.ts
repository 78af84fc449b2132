import type { z } from 'zod';
import { refuseDeepJson } from '#platform/http/input/json-body.ts';

/** A body of JSON as an object; null for everything else, and for what nests so deeply that it would overflow whoever looks through it. */
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

/** What is wrong with what a shop sent, in a few words. */
export function problemIn(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.join('.') || 'The body';
  return `${path}: ${issue?.message ?? 'not as expected'}`.slice(0, 300);
}
