import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';

/** The option of lists with pages of 20. */
export const PAGE_NUMBER = text('<number>', 'from 1; 20 on each', { fallback: '1' });

/** @throws {UsageError} when it is no page. */
export function pageNumber(text: string): number {
  const page = Number(text);
  if (!Number.isInteger(page) || page < 1) throw new UsageError('--page takes a number from 1.');
  return page;
}
