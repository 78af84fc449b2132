import { z } from 'zod';

/** The languages of what customers read: the redemption page, its notices and emails. English is the first choice. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LanguageField = z
  .enum(LANGUAGES)
  .describe('The language that the redemption page is shown in. Later emails are in it too.');

/** Such as `December 31, 2026 at 11:59 PM UTC`, as the language writes it. */
export function momentIn(language: Language, moment: Date): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(moment)} UTC`;
}

/** Such as `12.5 MB`, as the language writes it. */
export function bytesIn(language: Language, bytes: number): string {
  const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = Math.min(steps.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = steps[step] as (typeof steps)[number];
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  });
  return format.format(bytes / 1000 ** step);
}
