import { expect, it } from 'vitest';
import { deriveKey, secretFor } from './derive.ts';

const at = (day: number) => new Date(Date.UTC(2026, 2, day));
const secrets = [1, 10, 20].map((day) => ({ secret: Buffer.alloc(32, day), createdAt: at(day) }));
const chosen = (redeemedAt: Date | null) => secretFor(secrets, redeemedAt).createdAt.getUTCDate();

it.each([
  ['before all secrets', new Date(0), 1],
  ['never', null, 1],
  ['between two', at(15), 10],
  ['at the moment of one', at(20), 20],
  ['after all', at(30), 20],
])('a serial redeemed %s has the secret of then', (_when, redeemedAt, day) => {
  expect(chosen(redeemedAt)).toBe(day);
});

// customers have expansions by these: they never change
it('a key follows from its secret and its serial', () => {
  const secret = Buffer.alloc(32, 7);
  const serial = '019cd0a0-0000-7000-8000-00000000000a';
  expect(deriveKey(secret, serial)).toBe('twEFfyoXDH_qDhBPEjN96xOboNIHW32N_FmdvPavQZo');
  expect(deriveKey(Buffer.alloc(32, 8), serial)).not.toBe(deriveKey(secret, serial));
  expect(deriveKey(secret, serial.replace('a0', 'a1'))).not.toBe(deriveKey(secret, serial));
});
