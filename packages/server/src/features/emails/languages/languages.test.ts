import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#platform/text/languages.ts';
import { en } from './en.ts';
import { emailTexts } from './index.ts';

const keys = Object.keys(en) as (keyof typeof en)[];
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe.each(LANGUAGES.filter((language) => language !== 'en'))('emails in %s', (language) => {
  const texts = emailTexts[language];

  it('have all texts, with the same places to fill', () => {
    expect(Object.keys(texts).sort()).toEqual([...keys].sort());
    for (const key of keys) {
      expect({ [key]: [...new Set(places(texts[key]))] }).toEqual({ [key]: [...new Set(places(en[key]))] });
      expect(texts[key].trim()).not.toBe('');
    }
  });

  it('are not English', () => {
    expect(keys.filter((key) => texts[key] === en[key])).toEqual([]);
  });
});
