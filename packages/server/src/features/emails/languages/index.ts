import type { Language } from '#platform/text/languages.ts';
import { de } from './de.ts';
import { type EmailTexts, en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';

export const emailTexts: Record<Language, EmailTexts> = { en, de, fr, es, ja };

/** Puts values into `{name}` places. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
