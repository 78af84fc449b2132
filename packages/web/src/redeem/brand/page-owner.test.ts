import { expect, it } from 'vitest';
import { pageOwner } from './page-owner.ts';

const ID = '0190a1b2-0000-7000-8000-00000000000d';
const of = (query: string) => pageOwner(new URL(`https://example.com/redeem${query}`));

it.each(['', '.', ',', ').', '>', '%3E', '”', '…', '%20', '%0A', '*'])(
  'knows whose page it is with %j behind the id',
  (end) => {
    expect(of(`?dev=${ID}${end}`)).toBe(ID);
    expect(of(`?dev=${ID}${end}&code=A`)).toBe(ID);
  },
);

it('takes nothing else for an id', () => {
  expect(of('')).toBeNull();
  expect(of('?dev=')).toBe('');
  for (const dev of ['x', `${ID}0`, `${ID}.0`, `0${ID}`]) expect(of(`?dev=${dev}`)).toBe(dev);
});
