import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { envelopeFor, seal, unseal } from './age.ts';

const PASSPHRASE = 'correct horse battery staple';
// once, because it is meant to be slow
const envelope = envelopeFor(PASSPHRASE, randomBytes);
const sealed = async (plain: Buffer) => seal(await envelope, plain, randomBytes);

/** Written by another implementation of the format (age-encryption 0.3.1), with the work factor 10. */
const FOREIGN =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBzMmY3QWZ3NnZNend0SFJVWVF5MzR3IDEwCkZLTlNaME5wb2RDU01yeGgvUXN2ZFVUbzBIYlptY1BNc3N1cWg0Zk5rZW8KLS0tIGpjNDQ1SWxVZmFPZFlUYVBoOWFIbWlmcHBlRGlOeUQ5Sm9qOG9EZGZ0ZHMKI2ZpwkINUAFQ7tLnCJx0+/kIHH0TzLS33c/pCFm2Z/ZZAs4HpqXyy5qMaEab7A==';

describe('what is sealed with a passphrase', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('comes back as it was: %s bytes', async (size) => {
    const plain = randomBytes(size);
    expect((await unseal(await sealed(plain), PASSPHRASE)).equals(plain)).toBe(true);
  });

  it('by another program is opened', async () => {
    expect((await unseal(Buffer.from(FOREIGN, 'base64'), PASSPHRASE)).toString()).toBe('a signing key\n');
  });

  it('is not opened by another passphrase', async () => {
    await expect(unseal(await sealed(Buffer.from('x')), 'another')).rejects.toThrow('The passphrase is wrong.');
  });

  const changes: [string, (file: Buffer) => Buffer, string][] = [
    ['cut within a chunk', (file) => file.subarray(0, -1), 'changed or cut off'],
    ['cut behind a chunk', (file) => file.subarray(0, file.indexOf('\n', 100) + 1 + 16 + 65_552), 'cut off'],
    [
      'with a changed bit',
      (file) => Object.assign(Buffer.from(file), { [file.length - 30]: (file.at(-30) as number) ^ 1 }),
      'changed',
    ],
    ['with a changed head', (file) => Buffer.from(file.toString('latin1').replace('--- ', '---  '), 'latin1'), 'head'],
    [
      'with a work factor of terabytes',
      (file) => Buffer.from(file.toString('latin1').replace(' 16\n', ' 30\n'), 'latin1'),
      'its work factor is 30',
    ],
    ['and is nothing', () => Buffer.alloc(0), 'no head'],
  ];
  it.each(changes)('and is %s is refused', async (_what, change, words) => {
    await expect(unseal(change(await sealed(randomBytes(100_000))), PASSPHRASE)).rejects.toThrow(words);
  });

  it('has its base64 in one way alone', async () => {
    const text = (await sealed(Buffer.from('x'))).toString('latin1');
    const salt = /scrypt (\S{22})/.exec(text)?.[1] as string;
    // 22 characters hold four bits more than 16 bytes, which have to be 0
    const other = `${salt.slice(0, -1)}${{ A: 'B', Q: 'R', g: 'h', w: 'x' }[salt.at(-1) as 'A']}`;
    await expect(unseal(Buffer.from(text.replace(salt, other), 'latin1'), PASSPHRASE)).rejects.toThrow('as it should');
  });
});
