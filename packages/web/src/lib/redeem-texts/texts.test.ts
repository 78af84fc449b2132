import { describe, expect, it } from 'vitest';
import { de } from './de.ts';
import { en, type Plural, type Texts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { LANGUAGES } from './index.ts';
import { ja } from './ja.ts';

const catalogues: Record<(typeof LANGUAGES)[number], Texts> = { en, de, fr, es, ja };
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
const formsOf = (text: string | Plural) => (typeof text === 'string' ? [text] : Object.values(text));

describe.each(LANGUAGES)('the words in %s', (lang) => {
  const texts = catalogues[lang];
  const keys = Object.keys(en) as (keyof Texts)[];

  it('are all there', () => {
    expect(Object.keys(texts).sort()).toEqual([...keys].sort());
    expect(keys.filter((key) => formsOf(texts[key]).some((form) => form.trim() === ''))).toEqual([]);
  });

  it('have the same places to fill', () => {
    const lastOf = (text: string | Plural) => (typeof text === 'string' ? text : text.other);
    for (const key of keys) {
      const wanted = places(lastOf(en[key]));
      expect({ [key]: places(lastOf(texts[key])) }).toEqual({ [key]: wanted });
      // the singular may omit the number
      for (const form of formsOf(texts[key])) expect(wanted).toEqual(expect.arrayContaining(places(form)));
    }
  });

  it('have the plural forms of the language', () => {
    const used = new Set([1, 2, 5, 11].map((n) => new Intl.PluralRules(lang).select(n)));
    for (const key of keys) {
      const text = texts[key];
      if (typeof text !== 'string') expect({ [key]: Object.keys(text).sort() }).toEqual({ [key]: [...used].sort() });
    }
  });

  it('are not English', () => {
    // the same word in both languages
    const shared = [
      'email',
      'downloads',
      'version',
      'suspended',
      'active',
      'terms',
      'message',
      'deviceCode',
      'deviceComputer',
    ];
    const same = keys.filter((key) => JSON.stringify(texts[key]) === JSON.stringify(en[key]) && !shared.includes(key));
    expect(lang === 'en' ? [] : same).toEqual([]);
  });
});

describe('the English words', () => {
  it('are the specification’s where it has one', () => {
    expect(Object.values(en)).toEqual(
      expect.arrayContaining([
        'Continue',
        'Submit',
        'Request Help',
        'Please enter both first and last name',
        'You currently have no downloadable products.',
        'This license has been suspended.',
        'Download limit reached. Request a reset.',
        "We couldn't load branding for this domain.",
        'Redemption failed.',
        'Unexpected response from server.',
        'Name submission failed.',
        'Name accepted but no download data received.',
      ]),
    );
  });
});
