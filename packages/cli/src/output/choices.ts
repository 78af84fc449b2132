import { table } from './table.ts';

type Found = Record<string, { value: string; label: string | null; count: number; exact: boolean }[]>;

/**
 * The filters of a list: the option that chooses each value, with its name and count.
 * @param counted the head of the counts, such as `SERIALS`
 * @param none the words where nothing can be chosen
 * @param named options that are called otherwise than their filter
 */
export function choiceTable(found: Found, counted: string, none: string, named: Record<string, string> = {}): string {
  const rows = Object.entries(found).flatMap(([kind, values]) =>
    values.map(({ value, label, count, exact }) => [
      `--${named[kind] ?? kind}`,
      value,
      label,
      exact ? count : `${count}+`,
    ]),
  );
  return rows.length > 0 ? table(['FILTER', 'VALUE', 'NAME', counted], rows) : `${none}\n`;
}
