import { TZDate } from '@date-fns/tz';
import { LRUCache } from 'lru-cache';
import { endOfDay, isDay, LATEST, startOfDay } from '../../platform/days.ts';
import { CellError } from './cells.ts';

const LOCAL = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/;
const ZONED = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads the dates of a file: `2026-12-31` (its start or its end in the account's time zone), `2026-12-31 18:30` (in that
 * zone) or a moment with its own zone. Files repeat their dates, so what was read is remembered for a while.
 */
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
    const moment = this.#parse(text, edge);
    if (!moment || moment.getTime() > LATEST)
      throw new CellError(`${column} is not a date such as 2026-12-31: "${text.slice(0, 40)}".`);
    this.#known.set(key, moment);
    return moment;
  }

  #parse(text: string, edge: 'start' | 'end'): Date | null {
    if (isDay(text)) return edge === 'start' ? startOfDay(text, this.#timeZone) : endOfDay(text, this.#timeZone);
    // or the day after the last of February would be one of March
    if (!isDay(text.slice(0, 10))) return null;
    if (ZONED.test(text)) {
      const moment = Date.parse(text.replace(' ', 'T'));
      return Number.isNaN(moment) ? null : new Date(moment);
    }
    const local = LOCAL.exec(text);
    if (!local) return null;
    const [hours, minutes, seconds] = [Number(local[2]), Number(local[3]), Number(local[4] ?? 0)];
    if (hours > 23 || minutes > 59 || seconds > 59) return null;
    const [year, month, day] = (local[1] as string).split('-').map(Number) as [number, number, number];
    // not so long after midnight: some days have 23 hours
    return new Date(new TZDate(year, month - 1, day, hours, minutes, seconds, this.#timeZone).getTime());
  }
}
