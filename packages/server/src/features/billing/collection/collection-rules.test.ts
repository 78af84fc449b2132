import { expect, it } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { afterFailure, givenUpAt, theOne } from './collection-rules.ts';

it('tries again 3, 5, 7 and 7 days after the failure before, then waits to give up 30 days after the first', () => {
  const first = new Date('2026-02-01T00:00:00Z');
  let now = first;
  const days: number[] = [];
  for (let failures = 1; failures <= 4; failures += 1) {
    const { state, next } = afterFailure(failures, first, now);
    expect(state).toBe('open');
    days.push((next.getTime() - now.getTime()) / DAY);
    now = next;
  }
  expect(days).toEqual([3, 5, 7, 7]);
  expect(afterFailure(5, first, now)).toEqual({ state: 'failed', next: givenUpAt(first) });
  expect((givenUpAt(first).getTime() - first.getTime()) / DAY).toBe(30);
});

it('of several invoices for a statement, one that was paid comes first, then the one that is known', () => {
  const draft = { id: 'in_1', status: 'draft' };
  const other = { id: 'in_2', status: 'draft' };
  const open = { id: 'in_3', status: 'open' };
  const paid = { id: 'in_4', status: 'paid' };
  expect(theOne([], null)).toBeUndefined();
  expect(theOne([draft, other], 'in_2')).toBe(other);
  expect(theOne([draft, open], 'in_1')).toBe(open);
  expect(theOne([open, paid, draft], 'in_3')).toBe(paid);
});
