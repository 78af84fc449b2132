import { describe, expect, it } from 'vitest';
import { attachment, safeFileName } from './file-name.ts';
import { requestedRange } from './range.ts';

describe('file names', () => {
  it.each([
    ['Reverb 1.2 (Mac).dmg', 'Reverb 1.2 (Mac).dmg'],
    ['../../etc/passwd', 'passwd'],
    ['a\\b.zip', 'b.zip'],
    ['C:\\fakepath\\x.exe', 'x.exe'],
    ['..', 'download'],
    ['.', 'download'],
    ['', 'download'],
    ['folder/', 'download'],
    [' \t\r\n ', 'download'],
    ['a\r\nSet-Cookie: b.zip', 'aSet-Cookie: b.zip'],
    ['song\u202egpj.exe', 'songgpj.exe'],
    ['\u2066\u200f', 'download'],
    ['u\u0308ber.zip', 'über.zip'],
    ['name. . ', 'name'],
    ['.hidden', '.hidden'],
    ['🎹 ключ.zip', '🎹 ключ.zip'],
  ])('%j becomes %j', (given, name) => {
    expect(safeFileName(given)).toBe(name);
  });

  it('are cut to 200 characters with their extension, and never inside an emoji', () => {
    expect(safeFileName(`${'x'.repeat(500)}.zip`)).toBe(`${'x'.repeat(196)}.zip`);
    expect(safeFileName('y'.repeat(500))).toBe('y'.repeat(200));
    expect(safeFileName(`.${'z'.repeat(500)}`)).toBe(`.${'z'.repeat(199)}`);
    const family = safeFileName(`x${'👩‍👩‍👧'.repeat(100)}.zip`);
    expect(family.length).toBeLessThanOrEqual(200);
    expect(family).toMatch(/^x(👩‍👩‍👧)+\.zip$/u);
  });

  it('appear in the header in ASCII and in UTF-8', () => {
    expect(attachment('a"b\\ü🎹\'(1).zip')).toBe(
      `attachment; filename="a_b____(1).zip"; filename*=UTF-8''a%22b%5C%C3%BC%F0%9F%8E%B9%27%281%29.zip`,
    );
  });
});

describe('ranges of 100 bytes', () => {
  const ask = (range: string | undefined, ifRange?: string) =>
    requestedRange({ range, ifRange, etag: '"1"', lastModified: 'Tue, 10 Mar 2026 12:00:00 GMT' }, 100);
  it.each([
    ['bytes=0-', 0, 99],
    ['bytes=10-19', 10, 19],
    ['bytes=90-1000', 90, 99],
    ['bytes=-5', 95, 99],
    ['bytes=-500', 0, 99],
    ['bytes=99-99', 99, 99],
  ])('%s', (range, start, end) => {
    expect(ask(range)).toEqual({ start, end });
  });

  it.each(['bytes=100-', 'bytes=-0', 'bytes=100-200'])('%s is not there', (range) => {
    expect(ask(range)).toBe('unsatisfiable');
  });

  it.each([undefined, 'bytes=-', 'bytes=5-4', 'bytes=0-1,5-6', 'items=0-1', 'bytes=a-b', ''])(
    '%s is no range',
    (range) => {
      expect(ask(range)).toBeNull();
    },
  );

  it('holds for the same version only', () => {
    expect(ask('bytes=0-1', '"1"')).toEqual({ start: 0, end: 1 });
    expect(ask('bytes=0-1', 'Tue, 10 Mar 2026 12:00:00 GMT')).toEqual({ start: 0, end: 1 });
    expect(ask('bytes=0-1', '"2"')).toBeNull();
  });
});
