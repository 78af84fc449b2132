import { describe, expect, it } from 'vitest';
import { nameKey } from './name-key.ts';
import { composed, fold, narrow, tidyLine } from './text.ts';

const NFD = 'Jose\u0301';

it('text has one form, whichever a keyboard or a file sent', () => {
  expect(composed(NFD)).toBe('Jos\u00e9');
  expect(composed('\u1112\u1161\u11ab')).toBe('\ud55c');
  expect(composed('plain ASCII')).toBe('plain ASCII');
  expect(narrow('ｕｓｅｒ＠ｅｘａｍｐｌｅ．ｃｏｍ')).toBe('user@example.com');
  expect(narrow('ｶﾞ')).toBe('ガ');
});

it('a line keeps what can be seen, and what a script or an emoji needs', () => {
  expect(tidyLine(' Deep\u00a0 \u3000Echo\u200b\u00ad ')).toBe('Deep Echo');
  for (const kept of ['می\u200cخواهم', '👩\u200d🎤', '❤\ufe0f', 'José Ångström', '深い音'])
    expect(tidyLine(kept)).toBe(kept);
});

describe('a search', () => {
  it.each([
    ['jose', NFD],
    ['JOSÉ', 'Jose'],
    ['lukasz', 'Łukasz'],
    ['soren', 'Søren'],
    ['strasse', 'Straße'],
    ['aeon', 'Æon'],
    ['ISTANBUL', 'İstanbul'],
    ['ｓｙｎｔｈ', 'Synth'],
    ['nguyen', 'Nguyễn'],
    ['андреи', 'Андрей'],
  ])('for %s finds %s', (search, text) => {
    expect(fold(search)).toBe(fold(text));
  });

  it('does not find another letter', () => {
    for (const [one, other] of [
      ['か', 'が'],
      ['a', 'o'],
    ] as const)
      expect(fold(one)).not.toBe(fold(other));
  });
});

describe('two names are the same that look the same', () => {
  it.each([
    ['Deep Echo', 'Deep\u00a0Echo'],
    ['Deep Echo', 'deep  echo'],
    ['Deep Echo', 'Deep\u200b Echo\u200d'],
    ['Deep Echo', 'Ｄｅｅｐ　Ｅｃｈｏ'],
    ['Deep Echo', 'Deep\u2003\u3164Echo'],
    ['Jos\u00e9', NFD],
  ])('%j and %j', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
    expect(nameKey(nameKey(other))).toBe(nameKey(other));
  });

  it.each([
    ['Echo', 'Écho'],
    ['Comp2', 'Comp²'],
    ['DeepEcho', 'Deep Echo'],
  ])('but not %j and %j', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });
});
