import { OUR_BRAND } from '#platform/email/brand.ts';
import { escapeHtml } from '#platform/text/html.ts';
import type { Language } from '#platform/text/languages.ts';
import { emailTexts, fill } from '../languages/index.ts';
import type { CustomerUpdatesView, UpdatesState } from './customer-updates.service.ts';

interface Page {
  language: Language;
  heading: string;
  words: string;
  /** The button's label, and the field that it sends. */
  offer: { label: string; field: readonly [string, string] } | null;
}

const ONE_CLICK = ['List-Unsubscribe', 'One-Click'] as const;

/** The page for an account. */
export function unsubscribePage(words: string, asks: boolean): string {
  const offer = asks ? { label: 'Unsubscribe', field: ONE_CLICK } : null;
  return pageOf({ language: 'en', heading: OUR_BRAND.name, words, offer });
}

/** The page for a customer, who can also go back. @param asked whether something was chosen just now */
export function updatesPage(view: CustomerUpdatesView, language: Language, asked: boolean): string {
  const t = emailTexts[language];
  const { state, developer } = view;
  const offer = {
    wanted: { label: t.updatesStop, field: ONE_CLICK },
    stopped: { label: t.updatesAgain, field: ['updates', 'again'] as const },
    gone: null,
  }[state];
  const words =
    state === 'wanted' && !asked ? fill(t.updatesAsk, { developer }) : updatesWords(state, developer, language);
  return pageOf({ language, heading: developer, words, offer });
}

/** The current state, in a sentence. */
export function updatesWords(state: UpdatesState, developer: string, language: Language): string {
  const t = emailTexts[language];
  return fill({ wanted: t.updatesWanted, stopped: t.updatesStopped, gone: t.updatesGone }[state], { developer });
}

/** A page that needs nothing else: no script, no picture, no session. */
function pageOf({ language, heading, words, offer }: Page): string {
  // without an action the form goes to the page's own address, which has the token
  const form = offer
    ? `<form method="post"><input type="hidden" name="${offer.field[0]}" value="${offer.field[1]}"><button>${escapeHtml(offer.label)}</button></form>`
    : '';
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${escapeHtml(heading)}</title><style>body{font:16px/1.6 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem;overflow-wrap:anywhere}button{font:inherit;padding:.75rem 1.25rem;border:0;border-radius:8px;background:#6d28d9;color:#fff;cursor:pointer}button:focus-visible{outline:3px solid #a78bfa;outline-offset:2px}</style></head><body><main><h1 dir="auto">${escapeHtml(heading)}</h1><p dir="auto">${escapeHtml(words)}</p>${form}</main></body></html>`;
}
