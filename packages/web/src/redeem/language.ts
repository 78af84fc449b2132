import { readStored, store } from './storage.ts';
import { en, type Texts } from './texts/en.ts';

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

const KEY = 'redeem_language';

const loaders: Record<Language, () => Promise<Texts>> = {
  en: async () => en,
  de: async () => (await import('./texts/de.ts')).de,
  fr: async () => (await import('./texts/fr.ts')).fr,
  es: async () => (await import('./texts/es.ts')).es,
  ja: async () => (await import('./texts/ja.ts')).ja,
};

/** That of the link, else the one chosen here before, else the first of the browser's languages that is available. */
export function preferredLanguage(
  link: string | null = null,
  wanted: readonly string[] = navigator.languages,
): Language {
  const all = [link ?? '', readStored(KEY) ?? '', ...wanted].map((tag) => tag.toLowerCase().split('-', 1)[0]);
  return LANGUAGES.find((lang) => lang === all.find((tag) => LANGUAGES.some((known) => known === tag))) ?? 'en';
}

export function rememberLanguage(lang: Language): void {
  store(KEY, lang);
  // a reload must not go back to the language of the link
  const url = new URL(window.location.href);
  if (!url.searchParams.has('lang')) return;
  url.searchParams.set('lang', lang);
  window.history.replaceState(window.history.state, '', url);
}

/** When a translation fails to load, falls back to English rather than blocking the redemption. */
export async function loadTexts(lang: Language): Promise<[Language, Texts]> {
  try {
    return [lang, await loaders[lang]()];
  } catch {
    return ['en', en];
  }
}
