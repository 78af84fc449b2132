import { expect, it } from 'vitest';
import { plainMachineName } from './machine-name.ts';

it.each([
  ['build-07.internal', 'build-07.internal'],
  ['Ada’s MacBook Pro', 'Ada’s MacBook Pro'],
  ['スタジオ', 'スタジオ'],
  ['  <b>studio</b>  ', 'b studio b'],
  ['https://evil.example/a?b=c', 'https evil.example a b'],
  ['Tonerow support asks you to confirm this', 'Tonerow support asks you'],
  ['one\u0000two\u001b[31m', 'one two 31m'],
  ['x'.repeat(100), 'x'.repeat(64)],
  ['b\u0301\u0302\u0303\u0304\u0305\u0306'.repeat(2), 'b\u0301\u0302\u0303'.repeat(2)],
  ['😀', null],
  ['', null],
])('of %j is %j', (name, plain) => {
  expect(plainMachineName(name)).toBe(plain);
});
