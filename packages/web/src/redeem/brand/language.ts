import { LANGUAGES, type Language } from '#lib/redeem-texts/index.ts';
import { readStored, store } from '../storage.ts';

const KEY = 'redeem_language';

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
