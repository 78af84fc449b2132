import { expect, it } from 'vitest';
import { refuseDamage } from './damage.ts';

it.each([
  ['8.93E+18', 'Serial is the number 8.93E+18: a spreadsheet shortened it, and the digits are lost.'],
  ['8,93E+18', 'Serial is the number 8,93E+18'],
  ['1E+05', 'Serial is the number 1E+05'],
  ['#NAME?', 'Serial is the error #NAME? of a spreadsheet'],
  ['#REF!', 'Serial is the error #REF! of a spreadsheet'],
  ['#BEZUG!', 'Serial is the error #BEZUG! of a spreadsheet'],
  ['#######', 'Serial is the error ####### of a spreadsheet'],
  ['=A1&B1', 'Serial is a formula of a spreadsheet.'],
])('%s is refused with what happened to it', (text, message) => {
  expect(() => refuseDamage(text, 'Serial', true)).toThrow(message);
});

it.each(['ABCD-1E05-2345', '1E2F-3344', '#1-HIT', 'E5', '12345', ''])('%j is a code', (text) => {
  expect(() => refuseDamage(text, 'Serial', true)).not.toThrow();
});

it('a name may be anything but an error', () => {
  expect(() => refuseDamage('=Formula=', 'Last Name', false)).not.toThrow();
  expect(() => refuseDamage('1E5', 'Notes', false)).not.toThrow();
  expect(() => refuseDamage('#N/A', 'Last Name', false)).toThrow('Last Name is the error #N/A');
});
