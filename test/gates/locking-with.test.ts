import { lockingWiths } from '@tonerow/test-support/locking-with.ts';
import { expect, it } from 'vitest';

const CHANGES =
  'changed as (update serials s set draw_id = $2 from held where s.id = held.id returning s.id) select id from changed';

it.each([
  `with held as (select id from serials where developer_id = $1 for update), ${CHANGES}`,
  `with held as materialized (select id from serials where developer_id = $1 order by id for no key update), ${CHANGES}`,
])('a WITH that locks rows is named when other parts change something: %s', (sql) => {
  expect(lockingWiths(sql)).toEqual(['held']);
});

it.each([
  `with held as (select * from (select id from serials where developer_id = $1 for update) locked), ${CHANGES}`,
  'with held as (select id from serials where developer_id = $1 for update) update serials s set draw_id = $2 from held where s.id = held.id',
  `with held as (select id from serials where developer_id = $1), ${CHANGES}`,
  'select id from serials where developer_id = $1 for update',
])('it is not when it locks one level deeper, or nothing else changes: %s', (sql) => {
  expect(lockingWiths(sql)).toEqual([]);
});
