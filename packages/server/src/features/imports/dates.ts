import { LRUCache } from 'lru-cache';
import { readMoment } from '#platform/time/days.ts';
import { CellError } from './cells.ts';

/** Reads the dates of a file as all others are read. Files repeat their dates, so what was read is remembered for a while. */
export class Dates {
  readonly #timeZone: string;
  readonly #known = new LRUCache<string, Date>({ max: 10_000 });

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** @throws {CellError} for anything else, such as 03/04/2026, which means two days. */
  read(text: string, column: string, edge: 'start' | 'end'): Date | null {
    if (text === '') return null;
    const key = edge + text;
    const known = this.#known.get(key);
    if (known) return known;
    const moment = readMoment(text, edge, this.#timeZone);
    if (!moment) throw new CellError(`${column} is not a date such as 2026-12-31: "${text.slice(0, 40)}".`);
    this.#known.set(key, moment);
    return moment;
  }
}
