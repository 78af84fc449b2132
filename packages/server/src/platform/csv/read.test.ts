import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Dialect } from './dialect.ts';
import { cellText, openCsv, readCsv } from './read.ts';

/** Cuts a text into pieces of a few bytes, because nothing may depend on where they end. */
function pieces(bytes: Buffer, size = 7): Readable {
  const all: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) all.push(bytes.subarray(at, at + size));
  return Readable.from(all);
}

async function read(text: string | Buffer, given: Partial<Dialect> = {}, size?: number) {
  const file = await openCsv(pieces(typeof text === 'string' ? Buffer.from(text) : text, size), given);
  const rows: [number, ...string[]][] = [];
  for await (const { line, cells } of file.records) rows.push([line, ...cells]);
  return { ...file.dialect, head: file.head, rows };
}

it.each([1, 2, 3, 64])('reads any mix of line ends, in pieces of %i bytes', async (size) => {
  const { rows } = await read('Serial,Notes\r\nA,1\rB,2\nC,"two\r\nlines"\r\rD,4\n\r\nE,5', {}, size);
  expect(rows).toEqual([
    [2, 'A', '1'],
    [3, 'B', '2'],
    [4, 'C', 'two\nlines'],
    [7, 'D', '4'],
    [9, 'E', '5'],
  ]);
});

it('leaves out rows that are empty or have nothing but separators', async () => {
  const { rows } = await read('Serial,Product,Email\n,,\nA,B,C\n , ,\n\n"","",""\nD,E,F\n,,\n');
  expect(rows.map(([line, serial]) => [line, serial])).toEqual([
    [3, 'A'],
    [7, 'D'],
  ]);
});

it.each([
  ['utf-8', Buffer.from('\ufeffSerial;Name\nA;Jürgen\n')],
  ['utf-16le', Buffer.from('\ufeffSerial;Name\r\nA;Jürgen\r\n', 'utf16le')],
  ['utf-16be', Buffer.from('\ufeffSerial;Name\r\nA;Jürgen\r\n', 'utf16le').swap16()],
] as const)('reads %s by its mark', async (encoding, bytes) => {
  expect(await read(bytes)).toEqual({
    encoding,
    delimiter: 'semicolon',
    head: ['Serial', 'Name'],
    rows: [[2, 'A', 'Jürgen']],
  });
});

it('reads Windows-1252 when that is given, and explains how without it', async () => {
  const bytes = Buffer.from('Serial,Price\nJ\xfcrgen,\x80 5\n', 'latin1');
  expect((await read(bytes, { encoding: 'windows-1252' })).rows).toEqual([[2, 'Jürgen', '€ 5']]);
  await expect(read(bytes)).rejects.toThrow('encoding to windows-1252');
});

it('takes the separator that the first line names, and counts that line', async () => {
  const { delimiter, head, rows } = await read('sep=|\r\nSerial|Name, first\r\nA|B, C\r\n');
  expect({ delimiter, head, rows }).toEqual({
    delimiter: 'pipe',
    head: ['Serial', 'Name, first'],
    rows: [[3, 'A', 'B, C']],
  });
});

it('takes another separator when it is told', async () => {
  expect((await read('A,B;C\nD,E;F\n', { delimiter: 'semicolon' })).head).toEqual(['A,B', 'C']);
});

it.each([
  ['', 'The file is empty.'],
  ['\ufeff\r\n \r\n', 'The file is empty.'],
  [',,\n,,\n', 'The file is empty.'],
  ['PNG\0\0\x01', 'This is not a text file.'],
  ['Serial\n"A\nB\n', 'a quotation mark is never closed'],
  [`Serial\n${'x'.repeat(70_000)}`, 'Line 2 is longer than 64 kB.'],
])('refuses %j', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

it('refuses UTF-16 that is cut off in the middle of a character', async () => {
  const bytes = Buffer.from('\ufeffSerial\nABCD\n', 'utf16le');
  await expect(read(bytes.subarray(0, -1))).rejects.toThrow('in the middle of a character');
});

it('names the columns that are missing, and those that are there', async () => {
  const table = readCsv(pieces(Buffer.from('Code,Plugin\nA,B\n')), ['Serial', 'Product']);
  await expect(table).rejects.toThrow('The file has no column Serial, Product. Its first line is: Code, Plugin.');
});

it.each([
  ['="00123"', '00123'],
  ['="a ""quoted"" one"', 'a "quoted" one'],
  ["'=1+1", '=1+1'],
  ["'it is", "'it is"],
  ['=A1+B1', '=A1+B1'],
  ['  x ', 'x'],
  [undefined, ''],
])('takes the cell %j for %j', (cell, text) => {
  expect(cellText(cell)).toBe(text);
});
