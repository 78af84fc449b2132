import type { LiveEvent } from '@tonerow/sdk';

/** Something that a key does: after a question, or with what is typed after its prompt. */
export interface Act {
  key: string;
  /** Its word in the line of keys. */
  label: string;
  /** Ends with a question mark, and has the price of what costs; after a prompt it has what was typed too. */
  question?: string | ((typed: string) => string);
  prompt?: string;
  /** @param typed what was typed after the prompt. @returns what was done, as one line. */
  run(signal: AbortSignal, typed: string): Promise<string>;
}

/** A numbered line of a thing: its digit opens what it is about, or acts on it. */
export type Choice = { text: string } & ({ open: Open } | { act: Omit<Act, 'key' | 'label'> });

export interface Details {
  title: string;
  /** The lines that a person wants to read first. */
  answer?: string[];
  facts: [name: string, value: string | null][];
  /** The choices of the digits, at most nine. */
  choices?: Choice[];
  acts?: Act[];
  /** Shown at the end, dimmed. */
  lines: string[];
}

/** Loads it, and loads it again when something happened. */
export type Open = (signal: AbortSignal) => Promise<Details>;

export interface Row {
  id: string;
  /** Three columns. */
  cells: [string, string | null, string | null];
  acts?: Act[];
  /** Loads the details that Enter shows. */
  open?: Open;
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
