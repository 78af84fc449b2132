import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { juceTextOf } from '@tonerow/test-support/juce.ts';
import { describe, expect, it } from 'vitest';
import { applyToValue, hiseTime, juceTime, keyFileText, payloadXml } from './keyfile-format.ts';
import { cppLine, hiseXml, numbersOf, readPrivatePem } from './product-key-format.ts';

const vectors: { public: string; jwk: object; cases: { name: string; xml: string; hex: string }[] } = JSON.parse(
  readFileSync('test/vectors/juce-rsa.json', 'utf8'),
);
const privateKey = createPrivateKey({ key: vectors.jwk as never, format: 'jwk' });
const pair = { ...numbersOf(privateKey), privateKey };
const facts = {
  app: 'My Synth',
  user: 'Zoë <& "Co"> 🎹',
  email: 'zoe@example.com',
  machines: ['L896D48A88'],
  createdAt: new Date('2026-11-21T01:33:47Z'),
  expiresAt: null,
  salt: '0123456789abcdef0123456789abcdef',
};

describe('RSA as JUCE does it', () => {
  it.each(vectors.cases)('agrees with plain arithmetic: $name', ({ xml, hex }) => {
    expect(applyToValue(xml, pair)).toBe(hex);
    expect(juceTextOf(`#${hex}`, vectors.public)).toBe(xml);
  });

  it('writes a time as HISE reads it', () => {
    const written = hiseTime(new Date('2026-11-21T01:33:54.987Z'), pair);
    expect(written).toMatch(/^0x[0-9a-f]+$/);
    expect(juceTextOf(`#${written.slice(2)}`, vectors.public)).toBe('2026-11-21T01:33:54Z');
  });

  it('writes the public key as JUCE, C++ and HISE read it', () => {
    expect(`${pair.exponent},${pair.modulus}`).toBe(vectors.public);
    expect(cppLine(pair)).toBe(`static const juce::RSAKey publicKey ("${vectors.public}");\n`);
    expect(hiseXml(pair)).toContain(`<PublicKey value="${vectors.public}"/>`);
    expect(hiseXml(pair)).toContain('<PrivateKey value=""/>');
  });
});

describe('a key file', () => {
  it('has the header, an empty line, and wrapped hexadecimal that opens with the public key', () => {
    const text = keyFileText(facts, pair);
    const lines = text.split('\r\n');
    expect(lines.slice(0, 6)).toEqual([
      'Keyfile for My Synth',
      'User: Zoë <& "Co"> 🎹',
      'Email: zoe@example.com',
      'Machine numbers: L896D48A88',
      'Created: 21 Nov 2026 1:33:47am',
      '',
    ]);
    const hex = lines.slice(6, -1);
    expect(hex[0]).toMatch(/^#[0-9a-f]{69}$/);
    expect(hex.slice(1, -1).every((line) => /^[0-9a-f]{70}$/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe('');
    expect(juceTextOf(text, vectors.public)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?> <key user="Zo&#235; &lt;&amp; &quot;Co&quot;&gt; &#127929;" email="zoe@example.com" mach="L896D48A88" app="My Synth" date="${facts.createdAt.getTime().toString(16)}" salt="${facts.salt}"/>`,
    );
  });

  it('expires only with both attributes, and without mach', () => {
    const xml = payloadXml({ ...facts, expiresAt: new Date('2026-12-21T13:03:07Z') });
    expect(xml).toMatch(/ expiring_mach="L896D48A88" expiryTime="[0-9a-f]+" salt="[0-9a-f]{32}"\/>$/);
    expect(xml).not.toContain(' mach=');
    const text = keyFileText({ ...facts, expiresAt: new Date('2026-12-21T13:03:07Z') }, pair);
    expect(text).toContain('\r\nExpires: 21 Dec 2026 1:03:07pm\r\n');
    expect(text).toContain(`\r\nSigned time: ${hiseTime(facts.createdAt, pair)}\r\n`);
    expect(keyFileText(facts, pair)).not.toContain('Signed time: ');
    expect(juceTime(new Date('2026-01-01T00:00:00Z'))).toBe('1 Jan 2026 12:00:00am');
  });

  it('signs no digit that somebody could have chosen: the salt changes each of them', () => {
    const chosen = { ...facts, machines: Array.from({ length: 8 }, (_, n) => `${n}`.repeat(256)) };
    const digitsOf = (salt: string) => {
      let value = BigInt(
        `0x${Buffer.from(payloadXml({ ...chosen, salt }))
          .reverse()
          .toString('hex')}`,
      );
      const digits: bigint[] = [];
      for (const modulus = BigInt(`0x${pair.modulus}`); value > 0n; value /= modulus) digits.push(value % modulus);
      return digits;
    };
    const [one, other] = [digitsOf('0'.repeat(32)), digitsOf('f'.repeat(32))];
    expect(one.length).toBeGreaterThan(8);
    expect(one.filter((digit, place) => digit === other[place])).toEqual([]);
  });

  it('does not allow extra lines in the header', () => {
    const text = keyFileText({ ...facts, user: 'Jo\r\nMachine numbers: LEVIL', app: 'A\u2028B' }, pair);
    expect(text.match(/^Machine numbers: .*$/gm)).toEqual(['Machine numbers: L896D48A88']);
    expect(text.startsWith('Keyfile for A B\r\n')).toBe(true);
  });

  it('can carry another license above the key', () => {
    const text = keyFileText(facts, pair, 'BEGIN\nabc def\nEND');
    expect(text).toContain('\r\nBEGIN\r\nabc def\r\nEND\r\n\r\n#');
    expect(juceTextOf(text, vectors.public)).toContain('mach="L896D48A88"');
  });
});

describe('an own pair', () => {
  it('is taken when it is strong', () => {
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
    expect(numbersOf(readPrivatePem(pem) as never).modulus).toBe(pair.modulus);
    expect(readPrivatePem(privateKey.export({ format: 'pem', type: 'pkcs1' }) as string)).toBeTypeOf('object');
    expect(readPrivatePem('nothing')).toMatch(/PEM/);
  });
});
