import { UsageError } from '#exit.ts';

/** So many rows are kept for a program or template that needs the whole list. */
export const MOST_AT_ONCE = 50_000;

const ROW_BY_ROW: Record<string, string> = {
  '--jq':
    'Programs that begin with .[] or map(…), length, add, and "reduce .[] as $row (0; …)" are run row by row; for any other write the list to a file with --json, and run jq on that.',
  '--template': 'A template that is {{range .}}…{{end}} is rendered row by row.',
};

/** @param option that formats the list. */
export function tooManyAtOnce(option: '--jq' | '--template'): UsageError {
  const most = MOST_AT_ONCE.toLocaleString('en');
  return new UsageError(
    `This ${option} needs all rows at once, and there are more than ${most}. ${ROW_BY_ROW[option]}`,
  );
}

/** Collects a list that is needed whole. */
export class WholeList {
  readonly rows: unknown[] = [];
  readonly #option: '--jq' | '--template';

  constructor(option: '--jq' | '--template') {
    this.#option = option;
  }

  /** @throws {UsageError} when they are too many. */
  add(rows: readonly unknown[]): void {
    if (this.rows.length + rows.length > MOST_AT_ONCE) throw tooManyAtOnce(this.#option);
    for (const row of rows) this.rows.push(row);
  }
}
