import { expect, it } from 'vitest';
import { summaryOf } from './statement-summary.ts';

it.each([
  ['select id from serials where code_key = $1', 'select serials'],
  ['  begin', 'begin'],
  ['insert into "users" ("id") values ($1)', 'insert users'],
  ['with gone as (delete from staged returning 1) select count(*) from gone', 'delete staged'],
  ['select extract(epoch from now()) from pgboss.job where true', 'select pgboss.job'],
  ["copy (select email from customers where email like '%from nina@example.com%') to stdout", 'copy customers'],
  ["select pg_notify('from', 'a secret')", 'select'],
  ['select "p"."id" from "products" as "p" where "p"."id" = $1', 'select products'],
  ['update "products" set "name" = $1', 'update products'],
  ['with "gone" as (delete from "products" where "id" = $1 returning "id") select * from "gone"', 'delete products'],
  ['', 'statement'],
])('sums up %j', (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});
