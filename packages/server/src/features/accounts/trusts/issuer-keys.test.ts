import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { MINUTE, TestClock } from '#platform/clock.ts';
import { AddressRules } from '#platform/egress/address-rules.ts';
import type { EgressAnswer } from '#platform/egress/answer.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { IssuerKeys } from './issuer-keys.ts';

const ISSUER = 'https://gitlab.example.com';
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
const jwk = (kid: string, key = publicKey) => ({ ...key.export({ format: 'jwk' }), kid });

const NOTHING = { status: null, headers: null, text: null, durationMs: 1 };
const said = (body: object): EgressAnswer => ({ ...NOTHING, status: 200, error: null, text: JSON.stringify(body) });
const discovery = said({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` });

/** Keys of an issuer that answers so. */
function keysOf(answer: (address: string) => EgressAnswer | Promise<EgressAnswer>) {
  const clock = new TestClock('2026-03-10T12:00:00Z');
  const asked: string[] = [];
  const egress = {
    rules: new AddressRules([]),
    async get(address: string) {
      asked.push(address);
      return answer(address);
    },
  };
  return { keys: new IssuerKeys({ egress: egress as unknown as Egress, clock }), asked, clock };
}

it('of an issuer that is slow are waited for by those who need them, and by nobody who does not', async () => {
  let answer: (address: string) => EgressAnswer | Promise<EgressAnswer> = (address) =>
    address.endsWith('/keys') ? said({ keys: [jwk('one')] }) : discovery;
  const { keys, clock } = keysOf((address) => answer(address));
  expect((await keys.find(ISSUER, 'one'))?.algorithm).toBe('RS256');
  clock.advance(MINUTE);
  const hanging = Promise.withResolvers<EgressAnswer>();
  answer = () => hanging.promise;
  const waiting = keys.find(ISSUER, 'two');
  expect((await keys.find(ISSUER, 'one'))?.algorithm).toBe('RS256');
  hanging.resolve({ ...NOTHING, error: 'timeout' });
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('timeout') });
  // known keys stay known
  expect((await keys.find(ISSUER, 'one'))?.algorithm).toBe('RS256');
});

it('are asked for where the filter lets an account ask, and nowhere else', async () => {
  const { keys, asked } = keysOf(() => said({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys#x` }));
  await expect(keys.find(ISSUER, 'one')).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`]);
});

it('are none that are too short, and a hundred at most', async () => {
  const many = Array.from({ length: 101 }, (_, at) => jwk(`k${at}`));
  const { keys } = keysOf((address) =>
    address.endsWith('/keys') ? said({ keys: [jwk('short', short.publicKey), ...many] }) : discovery,
  );
  expect(await keys.find(ISSUER, 'short')).toBeUndefined();
  expect(await keys.find(ISSUER, 'k98')).toBeDefined();
  expect(await keys.find(ISSUER, 'k99')).toBeUndefined();
});
