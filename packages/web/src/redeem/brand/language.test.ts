import { describe, expect, it } from 'vitest';
import { preferredLanguage } from './language.ts';

describe('the language of the page', () => {
  it.each([
    [null, ['de-AT', 'en'], 'de'],
    [null, ['nl-NL', 'fr-BE', 'en'], 'fr'],
    [null, ['ja'], 'ja'],
    [null, ['pt-BR', 'ko'], 'en'],
    [null, [], 'en'],
    ['es', ['de'], 'es'],
    ['xx', ['de'], 'de'],
    ['__proto__', [], 'en'],
  ])('by the link’s %j and the browser’s %j is %s', (link, wanted, lang) => {
    expect(preferredLanguage(link, wanted)).toBe(lang);
  });
});
