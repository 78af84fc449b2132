import { flag, number, text } from './option-types.ts';

/** How many rows of a list are shown where no limit is given. */
export const DEFAULT_ROWS = 100;

/** Options of every list. */
export const PAGE = {
  limit: number('<n>', 'maximum number of rows', { fallback: String(DEFAULT_ROWS) }),
  all: flag('all rows'),
};

/** Option of lists: all rows, whatever --limit is. */
export const CSV = { csv: flag('CSV with all fields instead of a table') };

/** Options of what can be had as a CSV, which is printed unless it goes to a file. */
export const csvTo = (description: string) => ({
  csv: flag(description),
  out: text('<file>', 'write the CSV to a file', { fallback: '-' }),
});

export const wantsCsv = (options: { csv: boolean; out: string }): boolean => options.csv || options.out !== '-';

/** Option of what cannot be undone. */
export const YES = { yes: flag('do not ask for confirmation') };

/** The server reports what would happen and changes nothing. */
export const DRY_RUN = { dryRun: flag('only show what would happen') };

/** Options of what the server has no dry run of: `context.sure` reads what is there instead. */
export const SURE = { ...DRY_RUN, ...YES };
