import { expect, it } from 'vitest';
import { setLocal } from './set-local.ts';

it('a setting is quoted, whatever is in it', async () => {
  const sent: string[] = [];
  await setLocal(async (text) => sent.push(text), { timezone: "UTC'; drop table users; --", work_mem: '4MB' });
  expect(sent.slice(1)).toEqual(["set local timezone = 'UTC''; drop table users; --'", "set local work_mem = '4MB'"]);
});
