import { standInForCitus } from '@tonerow/test-support/citus-stand-in.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '#platform/log.ts';
import { enter, newWork } from '#platform/work-context.ts';
import { Lanes } from '../pools/pools.ts';
import { Places } from './places.ts';

const EAST = ['019f0000-0000-7000-8000-000000000000', '019f0000-0000-7000-8000-000000000002'] as const;
const WEST = '019f0000-0000-7000-8000-000000000001';

let direct: TestDatabase;
beforeAll(async () => {
  direct = await createTestDatabase();
  await standInForCitus(direct);
});
afterAll(() => direct.drop());

it('finds the machines of accounts, all that are asked for at a time together', async () => {
  let asked = 0;
  const query: TestDatabase['query'] = (...statement) => {
    asked += 1;
    return direct.query(...statement);
  };
  const places = new Places({ db: () => ({ ...direct, query }), log: createLogger('silent') });
  const all = [...EAST, WEST];
  expect(all.map((account) => places.of(account))).toEqual([undefined, undefined, undefined]);
  await expect
    .poll(() => all.map((account) => places.of(account)))
    .toEqual(['worker-1:5432', 'worker-1:5432', 'worker-2:5432']);
  expect(asked).toBe(2);
});

it('leaves connections to accounts of other machines', async () => {
  const lanes = new Lanes({
    url: direct.url,
    sizes: { api: 10, licensing: 1, bulk: 1 },
    log: createLogger('silent'),
    machineOf: (account) => (account === WEST ? 'west' : 'east'),
  });
  const connect = (account: string) => enter({ ...newWork('api'), account }, () => lanes.connect());
  const held = await Promise.all([...EAST, ...EAST, EAST[0]].map(connect));
  const late = connect(EAST[1]);
  // two of the first machine's accounts would have all seven that are divided among accounts
  held.push(await connect(WEST), await connect(WEST));
  expect(lanes.figures().api).toEqual({ used: 7, waiting: 1, size: 10 });
  held[0]?.release();
  held.push(await late);
  for (const client of held.slice(1)) client.release();
  await lanes.close();
});
