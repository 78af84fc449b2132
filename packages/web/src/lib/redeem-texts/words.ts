import type { Plural, Texts } from './en.ts';
import type { Language } from './index.ts';

export interface Words {
  t: Texts;
  lang: Language;
  /** The form that fits the number. */
  count(forms: Plural, n: number): string;
  day(iso: string): string;
  /** A moment to the minute, in the reader's time zone. */
  moment(iso: string): string;
  /** Such as `12.5 MB`. */
  bytes(size: number): string;
}

export function wordsOf(lang: Language, t: Texts): Words {
  const numbers = new Intl.NumberFormat(lang);
  const rules = new Intl.PluralRules(lang);
  const days = new Intl.DateTimeFormat(lang, { dateStyle: 'long' });
  const moments = new Intl.DateTimeFormat(lang, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return {
    t,
    lang,
    count: (forms, n) => fill(forms[rules.select(n)] ?? forms.other, { n: numbers.format(n) }),
    bytes: (size) => bytesIn(lang, size),
    day: (iso) => days.format(new Date(iso)),
    moment: (iso) => moments.format(new Date(iso)),
  };
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function bytesIn(lang: Language, size: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  const unit = UNITS[step] ?? 'byte';
  // the short form of a single byte has no plural
  const unitDisplay = step === 0 ? 'long' : 'short';
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(
    size / 1000 ** step,
  );
}

/** Puts values into `{name}` places. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
