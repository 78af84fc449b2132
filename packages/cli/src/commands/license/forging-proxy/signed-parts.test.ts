import { generateKeyPairSync } from 'node:crypto';
import { juceKeyOf, juceReply, juceTextOf } from '@tonerow/test-support/juce.ts';
import { expect, it } from 'vitest';
import { juceSuccess } from '../../../../../server/src/features/licensing/key-files/juce-xml.ts';
import { hiseTime, keyFileText } from '../../../../../server/src/features/licensing/key-files/keyfile-format.ts';
import {
  licenseEnvelope,
  tokenInEnvelope,
} from '../../../../../server/src/features/licensing/offline/offline-format.ts';
import { forgeries } from './forgeries.ts';
import { forgedParts, isSigned } from './signed-parts.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { n = '' } = privateKey.export({ format: 'jwk' });
const modulus = Buffer.from(n, 'base64url').toString('hex');
const publicKey = `10001,${modulus}`;
const pair = { modulus, privateKey };
const facts = {
  app: 'Prism 1.0.0',
  user: 'Nina',
  email: 'nina@example.com',
  machines: ['L1'],
  createdAt: new Date(0),
  salt: '0'.repeat(32),
};
const forever = keyFileText({ ...facts, expiresAt: null }, pair);
const ending = keyFileText({ ...facts, expiresAt: new Date(1e12) }, pair);
const token = `${'h'.repeat(40)}.${'b'.repeat(300)}.${'S'.repeat(86)}`;
const lease = licenseEnvelope({ product: 'Prism', until: new Date(0), keysUrl: 'https://example.com/jwks', token });

it.each([
  ['a text', forever, (text: string) => text],
  ['JUCE’s XML', juceSuccess('Thank you.', forever), (text: string) => juceReply(text).key as string],
  ['HISE’s JSON', JSON.stringify({ ok: true, key_file: forever }), (text: string) => JSON.parse(text).key_file],
  ['a key file that expires', ending, (text: string) => text],
])('a forged key file is none, in %s', (_where, body, inside) => {
  expect(isSigned(body)).toBe(true);
  expect(juceKeyOf(inside(body), publicKey)).toMatchObject({ app: 'Prism 1.0.0' });
  expect(forgedParts(body)).toHaveLength(body.length);
  expect(() => juceKeyOf(inside(forgedParts(body)), publicKey)).toThrow('no key element');
});

it('a forged time for HISE is none, alone and in a key file that expires', () => {
  const timeOf = (text: string) => juceTextOf(`#${/0x([0-9a-f]+)/.exec(text)?.[1]}`, publicKey);
  for (const body of [JSON.stringify({ ok: true, hise: hiseTime(new Date(0), pair) }), ending]) {
    expect(timeOf(body)).toBe('1970-01-01T00:00:00Z');
    expect(timeOf(forgedParts(body))).not.toContain('1970');
  }
});

it('a forged token has another signature and nothing else, also in a license file', () => {
  const forged = token.replace('.S', '.A');
  expect(forgedParts(JSON.stringify({ validation_token: token }))).toBe(JSON.stringify({ validation_token: forged }));
  expect(tokenInEnvelope(forgedParts(lease))).toBe(forged);
  const inKeyFile = keyFileText({ ...facts, expiresAt: new Date(1e12) }, pair, lease);
  expect(tokenInEnvelope(forgedParts(inKeyFile))).toBe(forged);
});

it('a response without a signature stays as it is', () => {
  for (const body of ['', '{"ok":false,"status":"revoked"}', juceSuccess('Thank you, #1234.'), 'Keyfile for Prism']) {
    expect([isSigned(body), forgedParts(body)]).toEqual([false, body]);
  }
});

it('the plugin’s developer reads what a good plugin does with each', () => {
  const told = Object.entries(forgeries).map(([name, { plugin }]) => [name, plugin]);
  const never = told.filter(([, plugin]) => plugin?.includes('must not unlock')).map(([name]) => name);
  const stay = told.filter(([, plugin]) => /stays? (as it is|unlocked)/.test(plugin ?? '')).map(([name]) => name);
  expect(never).toEqual(['forged', 'other-token', 'expired', 'wrong-product', 'always-yes']);
  expect(stay).toEqual(['replay', 'error', 'slow', 'offline']);
});
