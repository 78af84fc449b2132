import { describe, expect, it } from 'vitest';
import { delimiterOf, EncodingProbe, isBinary, markedEncoding, separatorLine } from './dialect.ts';

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('the encoding', () => {
  it.each([
    ['utf-8', Buffer.from('\ufeffSerial')],
    ['utf-16le', Buffer.from('\ufeffSerial', 'utf16le')],
    ['utf-16be', utf16be('\ufeffSerial')],
    ['utf-16le', Buffer.from('Serial,Product\n', 'utf16le')],
    ['utf-16be', utf16be('Serial,Product\n')],
    [null, Buffer.from('Serial,Produkt\n')],
  ] as const)('%s is seen in the first bytes', (encoding, bytes) => {
    expect(markedEncoding(bytes)).toBe(encoding);
    expect(isBinary(bytes)).toBe(false);
  });

  it('is none of a picture', () => {
    expect(isBinary(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]))).toBe(true);
  });

  const probe = (bytes: Buffer, size: number) => {
    const it = new EncodingProbe();
    for (let at = 0; at < bytes.length; at += size) it.see(bytes.subarray(at, at + size));
    return it.encoding;
  };

  it.each([1, 2, 3, 5, 1000])('of a whole file is known in pieces of %i bytes', (size) => {
    expect(probe(Buffer.from('Jürgen, 浜崎, 🎹\n'), size)).toBe('utf-8');
    expect(probe(Buffer.from('J\xfcrgen\n', 'latin1'), size)).toBe('windows-1252');
    // one byte at the very end
    expect(probe(Buffer.concat([Buffer.from('plain\n'.repeat(100)), Buffer.from([0xe9])]), size)).toBe('windows-1252');
  });
});

describe('what separates cells', () => {
  it.each([
    ['comma', 'Serial,Product\nA;B,C\n'],
    ['semicolon', 'Serial;Product;"Name, first"\nA;B;C\n'],
    ['tab', 'Serial\tProduct\nA\tB\n'],
    ['pipe', 'Serial|Product|Price\nA|B|1,5\n'],
    ['comma', 'Serial\nAAAA\nBBBB\n'],
    // a head that has more commas than the semicolons that separate
    ['semicolon', 'Name, first, last;Serial\nAda;AAAA\nGrace;BBBB\nLin;CCCC\n'],
    ['semicolon', 'Serial;Notes\nA;"two\nlines, and; a sign"\nB;\n'],
    ['comma', ''],
  ])('%s: %j', (name, text) => {
    expect(delimiterOf(text)).toBe(name);
  });

  it.each([
    ['sep=;\nSerial;Product\n', 'semicolon', 6],
    ['\ufeffSEP=\t\nSerial\tProduct\n', 'tab', 7],
    ['"sep=|"\nSerial|Product\n', 'pipe', 8],
  ])('may be said in the first line: %j', (text, delimiter, length) => {
    expect(separatorLine(text)).toEqual({ delimiter, length });
  });

  it('is not said by a head that begins alike', () => {
    expect(separatorLine('Sep=arator,Serial\n')).toBeNull();
  });
});
