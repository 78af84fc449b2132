import { type Period, plusDays } from '#lib/time/period.ts';

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO_MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const isDay = (text: string) => {
  const time = Date.parse(`${text}T00:00:00Z`);
  return ISO_DAY.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};
const two = (value: number) => String(value).padStart(2, '0');

function monthOf(year: number, month: number): Period {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { from: `${year}-${two(month)}-01`, to: `${year}-${two(month)}-${two(last)}` };
}

/**
 * The days that somebody means: `2026-10-12`, `2026-10`, `Oct 12`, `12 October 2025`, `October`, `today`, `yesterday`. Without a
 * year it is the last one that has come. Figures with slashes mean other days in other countries, so they are none.
 */
export function daysIn(text: string, today: string): Period | null {
  const typed = text.trim().toLowerCase();
  if (typed === 'today') return { from: today, to: today };
  if (typed === 'yesterday') return { from: plusDays(today, -1), to: plusDays(today, -1) };
  if (isDay(typed)) return { from: typed, to: typed };
  if (ISO_MONTH.test(typed)) return monthOf(Number(typed.slice(0, 4)), Number(typed.slice(5)));
  const parts = typed.split(/[\s,]+/).filter(Boolean);
  const words = parts.filter((part) => /^[a-z]{3,9}\.?$/.test(part));
  const days = parts.filter((part) => /^\d{1,2}(st|nd|rd|th)?$/.test(part)).map((part) => Number.parseInt(part, 10));
  const years = parts.filter((part) => /^20\d{2}$/.test(part)).map(Number);
  if (words.length !== 1 || days.length > 1 || years.length > 1) return null;
  if (words.length + days.length + years.length !== parts.length) return null;
  // three letters are enough for one month only
  const month = months.findIndex((name) => name.startsWith(words[0]?.replace('.', '') ?? '')) + 1;
  if (month === 0) return null;
  const thisYear = Number(today.slice(0, 4));
  const periodIn = (year: number) => {
    if (days[0] === undefined) return monthOf(year, month);
    const day = `${year}-${two(month)}-${two(days[0])}`;
    return isDay(day) ? { from: day, to: day } : null;
  };
  if (years[0] !== undefined) return periodIn(years[0]);
  const period = periodIn(thisYear);
  return period && period.from > today ? periodIn(thisYear - 1) : period;
}
