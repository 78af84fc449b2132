import { describe, expect, it } from 'vitest';
import { emailMistake, trimmed, websiteMistake, withScheme } from './typed.ts';

describe('what was typed', () => {
  it('may be left out, or have spaces around it', () => {
    for (const text of ['', '  ', ' nina@example.com ']) expect(emailMistake(text)).toBe(false);
    for (const text of ['', '  ', ' example.com ', 'http://example.com/a']) expect(websiteMistake(text)).toBe(false);
    expect(trimmed({ first: ' Nina ', last: '' })).toEqual({ first: 'Nina', last: '' });
  });

  it('is refused where it is no address', () => {
    for (const text of ['nina', 'nina@example', 'nina @example.com', '@example.com'])
      expect(emailMistake(text)).toBe("This doesn't look like an email address.");
    for (const text of ['my site', 'https://']) expect(websiteMistake(text)).toMatch(/^Enter a web address/);
  });

  it('gets a scheme where it has none', () => {
    expect(withScheme(' example.com ')).toBe('https://example.com');
    expect(withScheme('HTTP://example.com')).toBe('HTTP://example.com');
  });
});
