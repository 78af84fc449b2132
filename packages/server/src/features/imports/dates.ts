import { isDay, startOfDay } from '../../platform/days.ts';
import { CellError } from './cells.ts';

const LOCAL = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/;
const ZONED = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const DAY_MS = 86_400_000;
const REMEMBERED = 10_000;

/**
 * Reads the dates of a file: `2026-12-31` (its start or its end in the account's time zone), `2026-12-31 18:30` (in that
 * zone) or a moment with its own zone. Files repeat their dates, so what was read is remembered for a while.
 */
export class Dates {
  readonly #timeZone: string;
  readonly #known = new Map<string, Date>();

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
    if (!moment) throw new CellError(`${column} is no date such as 2026-12-31: "${text.slice(0, 40)}".`);
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(key, moment);
    return moment;
  }

  #parse(text: string, edge: 'start' | 'end'): Date | null {
    if (isDay(text)) {
      const start = startOfDay(text, this.#timeZone);
      if (edge === 'start') return start;
      const next = new Date(Date.parse(`${text}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
      return new Date(startOfDay(next, this.#timeZone).getTime() - 1);
    }
    if (ZONED.test(text)) {
      const moment = Date.parse(text.replace(' ', 'T'));
      return Number.isNaN(moment) ? null : new Date(moment);
    }
    const local = LOCAL.exec(text);
    if (!local || !isDay(local[1] as string)) return null;
    const [hours, minutes, seconds] = [Number(local[2]), Number(local[3]), Number(local[4] ?? 0)];
    if (hours > 23 || minutes > 59 || seconds > 59) return null;
    const start = startOfDay(local[1] as string, this.#timeZone).getTime();
    return new Date(start + ((hours * 60 + minutes) * 60 + seconds) * 1000);
  }
}
