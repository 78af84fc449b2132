import { verify } from '@node-rs/argon2';
import { expect, it } from 'vitest';
import { hashesAtOnce, hashing, PasswordHash } from './password-hash.ts';

const PASSWORD = 'a fine long password';
const quick = new PasswordHash({ memoryCost: 8, timeCost: 1, parallelism: 1 });

it('is argon2id of 19 MiB, two passes and one lane, each with a salt of its own', async () => {
  const hashes = await Promise.all([new PasswordHash().hash(PASSWORD), new PasswordHash().hash(PASSWORD)]);
  for (const each of hashes) {
    expect(each).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(each, PASSWORD)).toBe(true);
  }
  expect(hashes[0]).not.toBe(hashes[1]);
});

it('fits the password that it was made of, whatever that cost, and no other', async () => {
  const cheap = await quick.hash(PASSWORD);
  expect(cheap).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  for (const stored of [cheap, await new PasswordHash().hash(PASSWORD)]) {
    expect(await quick.fits(PASSWORD, stored)).toBe(true);
    expect(await quick.fits(`${PASSWORD}.`, stored)).toBe(false);
  }
});

it('fits nothing where none is stored, not even the password of the stand-in', async () => {
  expect(await quick.fits('nobody has this password', null)).toBe(false);
});

it('leaves a core to the calls of plugins, where there is one', () => {
  expect([1, 2, 3, 8].map(hashesAtOnce)).toEqual([1, 1, 2, 7]);
});

it('hashes and checks no more passwords at once, and in the end all of them', async () => {
  const real = new PasswordHash();
  const stored = await real.hash(PASSWORD);
  const checks = Array.from({ length: hashing.limit + 2 }, () => real.fits(PASSWORD, stored));
  const decoys = [real.fits(PASSWORD, null), real.fits('another one', stored)];
  const hashes = [real.hash('one more')];
  await expect.poll(() => hashing.waiting, { interval: 1 }).toBeGreaterThan(0);
  expect(hashing.running).toBe(hashing.limit);
  expect(await Promise.all(checks)).toEqual(checks.map(() => true));
  expect(await Promise.all(decoys)).toEqual([false, false]);
  await Promise.all(hashes);
  expect([hashing.running, hashing.waiting]).toEqual([0, 0]);
});
