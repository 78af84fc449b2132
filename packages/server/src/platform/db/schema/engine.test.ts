import { expect, it } from 'vitest';
import { unfitReason } from './engine.ts';

it.each([
  ['PostgreSQL 17.2 on x86_64-pc-linux-gnu, compiled by gcc 12.2.0, 64-bit', 170_002, null],
  ['PostgreSQL 15.0 (Debian 15.0-1.pgdg110+1) on aarch64', 150_000, null],
  ['PostgreSQL 14.9 on x86_64-pc-linux-gnu', 140_009, 'The database is PostgreSQL 14. Upgrade it to 15 or newer.'],
  ['CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/12/09)', 130_000, /^The database is CockroachDB\./],
  ['PostgreSQL 15.2-YB-2.25.1.0-b0 on x86_64-pc-linux-gnu', 150_002, /^The database is YugabyteDB\./],
  ['PostgreSQL 8.0.2 on i686-pc-linux-gnu, Redshift 1.0.12103', 80_002, /^The database is Amazon Redshift\./],
])('%s: the server runs on it, or gives the reason', (words, number, why) => {
  const found = unfitReason(words, number);
  if (why instanceof RegExp) expect(found).toMatch(why);
  else expect(found).toBe(why);
});
