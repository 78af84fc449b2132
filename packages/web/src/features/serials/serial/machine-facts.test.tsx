import { expect, it } from 'vitest';
import type { SerialDetail } from '#lib/types.ts';
import { factsOf } from './machine-facts.tsx';

const machine = {
  os: 'macOS 26',
  created_at: '2026-11-01T10:00:00.000Z',
  last_seen_at: '2026-11-02T10:00:00.000Z',
  released_at: null,
} as SerialDetail['machines'][number];
const namesOf = (change: Partial<typeof machine>) => factsOf({ ...machine, ...change }).map(([name]) => name);

it('shows what a machine has, and no dash for the rest', () => {
  expect(namesOf({})).toEqual(['System', 'Activated', 'Last seen']);
  expect(namesOf({ released_at: '2026-11-03T10:00:00.000Z' })).toEqual([
    'System',
    'Activated',
    'Last seen',
    'Released',
  ]);
  expect(namesOf({ os: null, last_seen_at: null as never })).toEqual(['Activated']);
});
