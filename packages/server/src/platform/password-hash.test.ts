import { verify } from '@node-rs/argon2';
import { expect, it } from 'vitest';
import { PasswordHash } from './password-hash.ts';

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
