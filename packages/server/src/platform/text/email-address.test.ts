import { describe, expect, it } from 'vitest';
import { Email, emailKey, mailtoUrl, OptionalEmail, parseEmail } from './email-address.ts';

describe('an email address', () => {
  it.each([
    'nina@example.com',
    'Nina.Simone+plugins@Example.co.uk',
    'a&r@label.com',
    "o'neil@example.com",
    'x=y!#$%*/?^`{|}~@example.com',
    'müller@label.de',
    'jo@münchen.de',
    'jo@xn--mnchen-3ya.de',
    'ü@faß.de',
    '用户@例子.广告',
    'почта@пример.рф',
    `${'x'.repeat(64)}@example.com`,
  ])('is %s', (address) => {
    expect(parseEmail(address)).toBe(address);
    expect(Email.parse(` ${address}\n`)).toBe(address);
    expect(OptionalEmail.parse(address)).toBe(address);
  });

  it.each([
    '',
    ' ',
    'nobody',
    '@example.com',
    'a@',
    'a@b',
    'a@b@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    'a@example..com',
    'a@-example.com',
    'a@example.com.',
    'a@example.c',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a b@example.com',
    'a,b@example.com',
    'a;b@example.com',
    'a\nb@example.com',
    'a\u0000@example.com',
    '\ud800',
    'a\ud800@example.com',
    'a@ex\udc00mple.com',
    'a\u2028b@example.com',
    'a\u3000b@example.com',
    '"a b"@example.com',
    'Nina <nina@example.com>',
    'a@mün chen.de',
    'a@mün\u0000chen.de',
    `${'x'.repeat(65)}@example.com`,
    `${'ü'.repeat(40)}@example.com`,
    `a@${'x'.repeat(64)}.com`,
    `a@${'x.'.repeat(130)}com`,
    'a@example.com'.repeat(100_000),
  ])('is not %j', (text) => {
    expect(parseEmail(text)).toBeNull();
    expect(Email.safeParse(text).error?.issues[0]?.message).toBe('Enter a valid email address.');
  });

  it('loses what was copied along with it', () => {
    expect(parseEmail('\u200bnina@exam\u00adple.com\ufeff \u202c')).toBe('nina@example.com');
    expect(parseEmail('mu\u0308ller@label.de')).toBe('m\u00fcller@label.de');
  });

  it('may be left out where that is allowed', () => {
    for (const nothing of ['', ' ', null]) expect(OptionalEmail.parse(nothing)).toBeNull();
    for (const odd of [7, {}, [], undefined]) expect(Email.safeParse(odd).error?.issues[0]?.message).toMatch(/^Enter/);
  });
});

it('a link to an address holds nothing but the address', () => {
  expect(mailtoUrl('a&r@label.com')).toBe('mailto:a%26r@label.com');
  expect(mailtoUrl('x?cc=y@label.com')).toBe('mailto:x%3Fcc%3Dy@label.com');
});

describe('two addresses', () => {
  it.each([
    ['NINA@Example.COM', ' nina@example.com '],
    ['JO@MÜNCHEN.DE', 'jo@xn--mnchen-3ya.de'],
    ['jo@mu\u0308nchen.de', 'jo@m\u00fcnchen.de'],
    ['MU\u0308LLER@label.de', 'm\u00fcller@label.de'],
    ['jo@Xn--Mnchen-3Ya.de', 'jo@münchen.de'],
    ['\u200bnina@example.com', 'nina@example.com'],
  ])('%j and %j are the same', (one, other) => {
    expect(emailKey(one)).toBe(emailKey(other));
    expect(emailKey(emailKey(one))).toBe(emailKey(one));
  });

  it('are read as people write them', () => {
    expect(emailKey('Jo@xn--mnchen-3ya.de')).toBe('jo@münchen.de');
    // a domain that cannot be one stays itself, and no two of them become one
    expect(emailKey('a@xn--')).toBe('a@xn--');
    expect(emailKey('a@mün chen.de')).toBe('a@mün chen.de');
    expect(emailKey('nobody')).toBe('nobody');
  });

  it.each([
    ['müller@label.de', 'muller@label.de'],
    ['jo@münchen.de', 'jo@munchen.de'],
    ['a+b@label.de', 'a@label.de'],
  ])('%j and %j are two', (one, other) => {
    expect(emailKey(one)).not.toBe(emailKey(other));
  });
});
