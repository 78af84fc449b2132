import type { LiveEvent } from '@tonerow/sdk';

/** Something that a key does to the selected row, after asking. */
export interface Act {
  key: string;
  /** Ends with a question mark. */
  question: string;
  /** @returns what was done, as one line. */
  run(signal: AbortSignal): Promise<string>;
}

export interface Details {
  title: string;
  /** What the person wants to know first, a line each. */
  answer?: string[];
  facts: [name: string, value: string | null][];
  /** Below the facts, dimmed. */
  lines: string[];
}

export interface Row {
  id: string;
  /** Three columns. */
  cells: [string, string | null, string | null];
  acts?: Act[];
  /** What Enter shows. */
  open?(signal: AbortSignal): Promise<Details>;
}

/** One screen of the terminal client: a list that can be searched. */
export interface Tab {
  name: string;
  /** The keys that it has of its own, such as `↵ details`. */
  keys?: string;
  load(search: string, signal: AbortSignal): Promise<Row[]>;
  /** How many things wait in it after an event; undefined when the event is about something else. */
  waiting?(event: LiveEvent): number | undefined;
}

/** The first rows of a list that has pages. */
export async function firstOf<Item>(rows: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const found: Item[] = [];
  for await (const row of rows) if (found.push(row) === count) break;
  return found;
}
