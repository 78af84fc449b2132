export type Cell = string | number | boolean | null;

/** One line that a corrected file changes. */
export interface Difference {
  /** The serial, or the address. */
  what: string;
  change: 'changed' | 'new' | 'gone';
  fields: { column: string; before: Cell; after: Cell }[];
}

/** The changes of a corrected file to the import that it corrects. */
export interface Differences {
  same: number;
  changed: number;
  new: number;
  gone: number;
  /** The first. */
  rows: Difference[];
}
