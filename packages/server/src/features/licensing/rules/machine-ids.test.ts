import { expect, it } from 'vitest';
import { isPlaceholder, isSameMachine, spellingsOf } from './machine-ids.ts';

const upper = '4C4C4544-0039-5A10-8053-B4C04F4E3532';

it('a UUID is one machine in every case, and no other id is', () => {
  for (const id of [upper, `{${upper}}`, upper.replaceAll('-', '')]) {
    expect(spellingsOf(id)).toEqual([id, id.toLowerCase()]);
    expect(isSameMachine(id, id.toLowerCase())).toBe(true);
    expect(isSameMachine(id.toLowerCase(), id)).toBe(true);
  }
  for (const id of ['L896D48A88', 'Studio', `${upper}0`, upper.slice(1)]) {
    expect(spellingsOf(id)).toEqual([id]);
    expect([isSameMachine(id, id), isSameMachine(id, id.toLowerCase())]).toEqual([true, false]);
  }
});

it.each([
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'ffffffffffffffffffffffffffffffff',
  '{00000000-0000-0000-0000-000000000000}',
  '00:00:00:00:00:00',
  'FF-FF-FF-FF-FF-FF',
  '02:00:00:00:00:00',
  '03000200-0400-0500-0006-000700080009',
])('%s is no machine', (id) => expect(isPlaceholder(id)).toBe(true));

it.each([upper, 'L000000000', 'm-0', '0', 'f', 'FFFF', '0000000F'])('%s may be one', (id) =>
  expect(isPlaceholder(id)).toBe(false),
);
