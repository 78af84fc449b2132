import { describe, expect, it } from 'vitest';
import { preferredLanguage } from './language.ts';

describe('the language of the page', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['nl-NL', 'fr-BE', 'en'], 'fr'],
    [['ja'], 'ja'],
    [['pt-BR', 'ko'], 'en'],
    [[], 'en'],
  ])('for %j is %s', (wanted, lang) => {
    expect(preferredLanguage(wanted)).toBe(lang);
  });
});
