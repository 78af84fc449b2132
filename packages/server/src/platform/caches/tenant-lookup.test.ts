import { expect, it, vi } from 'vitest';
import { TenantLookup } from './tenant-lookup.ts';

class WorkerAway extends Error {}

/** A database of which some tenants' machine is away. Each look-up is kept, and goes on when it is told to. */
function database() {
  const away = new Set<string>();
  const asked: string[][] = [];
  let running = 0;
  let most = 0;
  let held: Promise<void> | undefined;
  const lookup = new TenantLookup<{ tenant: string; n: number }, string>({
    tenantOf: ({ tenant }) => tenant,
    isPartial: (error) => error instanceof WorkerAway,
    find: async (questions) => {
      asked.push(questions.map(({ tenant, n }) => `${tenant}${n}`));
      running += 1;
      most = Math.max(most, running);
      await held;
      running -= 1;
      if (questions.some(({ tenant }) => away.has(tenant))) throw new WorkerAway('could not connect');
      return questions.map(({ tenant, n }) => `found ${tenant}${n}`);
    },
  });
  const ask = async (...names: string[]) => {
    const answers = lookup.ask(names.map((name) => ({ tenant: name[0] as string, n: Number(name.slice(1)) })));
    const told = names.map(async (_, n) => (await answers)[n]);
    return (await Promise.allSettled(told)).map((each) => (each.status === 'fulfilled' ? each.value : 'away'));
  };
  const hold = () => {
    const gate = Promise.withResolvers<void>();
    held = gate.promise;
    return () => {
      held = undefined;
      gate.resolve();
    };
  };
  return { ask, away, asked, hold, most: () => most };
}

it('asks for all tenants at once', async () => {
  const { ask, asked } = database();
  expect(await ask('a1', 'b1', 'a2')).toEqual(['found a1', 'found b1', 'found a2']);
  expect(asked).toEqual([['a1', 'b1', 'a2']]);
});

it('answers the others when the machine of one is away, and asks for it by itself from then on', async () => {
  const { ask, asked, away } = database();
  away.add('b');
  expect(await ask('a1', 'b1', 'c1', 'a2')).toEqual(['found a1', 'away', 'found c1', 'found a2']);
  expect(asked.splice(0)).toEqual([['a1', 'b1', 'c1', 'a2'], ['a1', 'a2'], ['b1'], ['c1']]);
  expect(await ask('a3', 'b2', 'c2')).toEqual(['found a3', 'away', 'found c2']);
  expect(asked.splice(0)).toEqual([['a3', 'c2'], ['b2']]);
  away.clear();
  expect(await ask('a4', 'b3')).toEqual(['found a4', 'found b3']);
  expect(asked.splice(0)).toEqual([['a4'], ['b3']]);
  expect(await ask('a5', 'b4')).toEqual(['found a5', 'found b4']);
  expect(asked).toEqual([['a5', 'b4']]);
});

it('asks for a tenant that fails alone once and no more', async () => {
  const { ask, asked, away } = database();
  away.add('a');
  expect(await ask('a1', 'a2')).toEqual(['away', 'away']);
  expect(asked).toEqual([['a1', 'a2']]);
});

it('is no storm: few tenants are asked for apart at once, and each of them by one look-up at a time', async () => {
  const { ask, asked, away, hold, most } = database();
  const tenants = [...'abcdefghijklmnop'];
  for (const tenant of tenants) away.add(tenant);
  expect(await ask(...tenants.map((tenant) => `${tenant}1`))).toEqual(tenants.map(() => 'away'));
  expect([asked.length, most()]).toEqual([1 + tenants.length, 4]);
  asked.length = 0;
  const open = hold();
  const all = Array.from({ length: 20 }, (_, n) => ask(`a${n}`));
  await vi.waitFor(() => expect(asked).toEqual([['a0']]));
  open();
  await Promise.all(all);
  expect(asked.slice(1)).toEqual([Array.from({ length: 19 }, (_, n) => `a${n + 1}`)]);
});

it('does not wait for the answer of a tenant whose machine is away', async () => {
  const { ask, away, asked, hold } = database();
  away.add('b');
  await ask('a1', 'b1');
  const open = hold();
  const late = ask('b2');
  await vi.waitFor(() => expect(asked.at(-1)).toEqual(['b2']));
  const both = [ask('b3'), ask('a2')];
  open();
  expect(await both[1]).toEqual(['found a2']);
  expect([await late, await both[0]]).toEqual([['away'], ['away']]);
});

it('asks for nobody together with a tenant that is being asked for alone', async () => {
  const { ask, away, asked, hold } = database();
  away.add('b');
  const open = hold();
  const first = ask('a1', 'b1');
  await vi.waitFor(() => expect(asked).toEqual([['a1', 'b1']]));
  open();
  const openAgain = hold();
  await vi.waitFor(() => expect(asked.slice(1)).toEqual([['a1'], ['b1']]));
  const second = ask('b2', 'c1');
  await vi.waitFor(() => expect(asked.slice(3)).toEqual([['c1']]));
  openAgain();
  expect([await first, await second]).toEqual([
    ['found a1', 'away'],
    ['away', 'found c1'],
  ]);
});

it('fails for all when nothing is to be gained by asking again', async () => {
  const find = vi.fn(async () => {
    throw new Error('a bug');
  });
  const lookup = new TenantLookup({ find, tenantOf: (question: string) => question, isPartial: () => false });
  await expect(lookup.ask(['a', 'b'])).rejects.toThrow('a bug');
  expect(find).toHaveBeenCalledOnce();
});

it('is no failure of a tenant whose machine is back that the look-up of others has a bug', async () => {
  const isPartial = (error: unknown) => error instanceof WorkerAway;
  const find = vi.fn<(tenants: readonly string[]) => Promise<string[]>>();
  const lookup = new TenantLookup({ find, tenantOf: (tenant: string) => tenant, isPartial });
  find.mockRejectedValueOnce(new WorkerAway());
  await expect(lookup.ask(['a'])).rejects.toThrow(WorkerAway);
  find.mockImplementation(async (tenants) => {
    if (tenants.includes('b')) throw new Error('a bug');
    return [...tenants];
  });
  const [a, b] = await lookup.ask(['a', 'b']);
  expect(await a).toBe('a');
  await expect(b).rejects.toThrow('a bug');
});
