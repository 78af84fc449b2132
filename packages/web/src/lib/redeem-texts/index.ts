import type { Texts } from './en.ts';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language in its own name, so that people find theirs. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
};

const loaders: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  ja: async () => (await import('./ja.ts')).ja,
};

/**
 * When a translation fails to load, falls back to English rather than blocking the redemption.
 * @throws when English can't be loaded either.
 */
export async function loadTexts(lang: Language): Promise<[Language, Texts]> {
  try {
    return [lang, await loaders[lang]()];
  } catch {
    return ['en', await loaders.en()];
  }
}
