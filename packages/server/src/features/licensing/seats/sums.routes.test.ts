import { beside } from '@tonerow/test-support/beside.ts';
import { call, makeProduct, makeSerials, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { chanceOf } from '@tonerow/test-support/random.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-01T12:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const newKey = async ({ token }: Person, on = server): Promise<string> =>
  (await call(on, 'POST', '/api/developer/plugin-keys', { token, body: {} })).body.plaintext;
const get = (path: string, { token }: Person, headers: Record<string, string> = {}) =>
  call(server, 'GET', `/api/analytics/${path}`, { token, headers });

interface Pair {
  version: string | null;
  os: string | null;
  count: number;
}

/** The expected report, counted from the seats. */
async function recount(person: Person, product: string | null, days: number) {
  const since = new Date(clock.now().getTime() - (days - 1) * DAY).toISOString().slice(0, 10);
  const rows = await server.db.query<Pair & { machine_id: string }>(
    `select a.version, a.os, a.machine_id from activations a join serials s on (s.developer_id, s.id) = (a.developer_id, a.serial_id) join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
     where a.developer_id = $1 and a.released_at is null and ($2::uuid is null or b.product_id = $2)
       and (a.last_seen_at at time zone 'UTC')::date >= $3`,
    [person.id, product, since],
  );
  const pairs = [...Map.groupBy(rows, ({ version, os }) => JSON.stringify([version, os]))].map(([pair, all]) => [
    ...JSON.parse(pair),
    all.length,
  ]);
  return { activations: rows.length, machines: new Set(rows.map((row) => row.machine_id)).size, pairs: pairs.sort() };
}

async function expectRecounted(person: Person, products: (string | null)[], step: string): Promise<void> {
  for (const product of products) {
    const of = product ? `&product_id=${product}` : '';
    for (const days of [1, 30, 365]) {
      const { body } = await get(`versions?days=${days}${of}`, person);
      const truth = await recount(person, product, days);
      const pairs = body.pairs.map((pair: Pair) => [pair.version, pair.os, pair.count]).sort();
      expect([step, product, days, body.activations, pairs]).toEqual([
        step,
        product,
        days,
        truth.activations,
        truth.pairs,
      ]);
    }
    const machines = (await get(`machines?${of}`, person)).body;
    const [active, all] = [
      (await recount(person, product, 30)).machines,
      (await recount(person, product, 9999)).machines,
    ];
    expect([step, product, machines.active_machines, machines.machines]).toEqual([step, product, active, all]);
  }
}

/** Lets the minute's job run, until nothing waits for it and every account with seats has sums. */
async function added(): Promise<void> {
  await queueJob(server.db, 'count-seats');
  const left = async () =>
    (
      await server.db.query<{ n: number }>(
        `select (select count(*) from seat_changes) + (select count(distinct a.developer_id) from activations a
           where not exists (select 1 from seat_counts c where c.developer_id = a.developer_id and c.counted_at is not null)) as n`,
      )
    )[0]?.n;
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
}

const SUMS = `select 'seats' as what, product_id::text || seen_on || version || os as key, seats as n from seat_sums where developer_id = $1 and seen_on > '0001-01-01'
  union all select 'machines', product_id::text || seen_on || machine, seats from seat_machines where developer_id = $1
  union all select 'days', product_id::text || seen_on, machines from machine_sums where developer_id = $1 and seen_on > '0001-01-01'
  order by 1, 2`;

it('keeps sums that equal a recount, whatever happens to seats, before and after the changes are added', async () => {
  const ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  const products = [await makeProduct(server, ada.token), await makeProduct(server, ada.token)] as [
    { id: string },
    { id: string },
  ];
  for (const { id } of products) {
    await call(server, 'PUT', `/api/products/${id}`, { token: ada.token, body: { lease_days: 5, max_activations: 4 } });
  }
  const serials = (
    await Promise.all(products.map(({ id }) => makeSerials(server, ada.token, id, { quantity: 6 })))
  ).flat();
  let key = await newKey(ada);
  // a process that stops writes what it has collected in memory
  let plugins = await startServer({ overrides: { clock }, db: server.db });
  const ask = (verb: string, body: object) => call(plugins, 'POST', `/api/license/v1/${verb}`, { token: key, body });
  const chance = chanceOf(20_260_301);
  const one = <T>(of: readonly T[]): T => of[chance(of.length)] as T;
  const tokens = new Map<string, string>();
  const did: Record<string, number> = {};
  const acts: Record<string, () => Promise<{ status: number } | undefined>> = {
    async activate() {
      const [license_key, machine_id] = [one(serials).code, `m${chance(9)}`];
      const body = {
        license_key,
        machine_id,
        version: one(['1.0', '1.1', '2.0', null]),
        os: one(['macOS', 'Windows', null]),
      };
      const answer = await ask('activate', { ...body, email: `${license_key}@example.com` });
      if (answer.body.validation_token) tokens.set(`${license_key} ${machine_id}`, answer.body.validation_token);
      return answer;
    },
    validate: () =>
      ask('validate', { license_key: one(serials).code, machine_id: `m${chance(9)}`, version: one(['1.1', '2.0']) }),
    deactivate: () => ask('deactivate', { license_key: one(serials).code, machine_id: `m${chance(9)}` }),
    async transfer() {
      const [seat, validation_token] = one([...tokens, ['', '']]) as [string, string];
      const [license_key, old_machine_id] = seat.split(' ');
      return ask('transfer', { license_key, old_machine_id, machine_id: `m${chance(9)}`, validation_token });
    },
    oldId: () =>
      ask('activate', {
        license_key: one(serials).code,
        machine_id: `m${chance(9)}`,
        old_machine_ids: [`m${chance(9)}`],
        email: 'nina@example.com',
      }),
    offline: () =>
      ask('offline', { license_key: one(serials).code, machine_file: `m${chance(9)}`, email: 'nina@example.com' }),
    async release() {
      const held = await server.db.query<{ id: string }>(
        'select id from activations where released_at is null order by id',
      );
      return held.length === 0
        ? undefined
        : call(server, 'POST', `/api/machines/${one(held).id}/release`, { token: ada.token });
    },
    revoke: () => call(server, 'PATCH', `/api/serials/revoke/${one(serials).id}`, { token: ada.token }),
    reassign: () => call(server, 'PATCH', `/api/serials/reassign/${one(serials).id}`, { token: ada.token }),
    async forget() {
      const owners = await server.db.query<{ id: string }>(
        'select id from customers where erased_at is null order by id',
      );
      if (chance(6) > 0 || owners.length === 0) return undefined;
      return call(server, 'DELETE', `/api/customers/${one(owners).id}`, { token: ada.token });
    },
    async leasesEnd() {
      clock.advance((chance(4) + 1) * DAY);
      await beside({ server, clock }, (deps) => deps.offline.freeEnded());
      return { status: 200 };
    },
    async visitsWritten() {
      // the changes in its memory are also needed by the next steps
      if (chance(3) > 0) return undefined;
      await plugins.stop();
      plugins = await startServer({ overrides: { clock }, db: server.db });
      key = await newKey(ada);
      return { status: 200 };
    },
  };
  const often = [
    'activate',
    'activate',
    'activate',
    'activate',
    'validate',
    'validate',
    'validate',
    'deactivate',
    'oldId',
  ];
  const rare = Object.keys(acts).filter((name) => !often.includes(name));
  const all = [null, ...products.map(({ id }) => id)];
  for (let step = 1; step <= 240; step += 1) {
    const name = chance(3) > 0 ? one(often) : one(rare);
    const answer = await acts[name]?.();
    if (answer?.status === 200) did[name] = (did[name] ?? 0) + 1;
    if (step % 40 === 0) await expectRecounted(ada, all, `${step}, after ${name}`);
    if (step % 80 === 0) {
      await added();
      await expectRecounted(ada, all, `${step}, added`);
    }
  }
  // every kind of change has happened
  expect(Object.keys(did).sort()).toEqual(Object.keys(acts).sort());
  await call(server, 'DELETE', `/api/products/${products[1].id}?force=true`, { token: ada.token });
  clock.advance(3 * DAY);
  await plugins.stop();
  await expectRecounted(ada, all, 'product deleted');
  await added();
  const kept = await server.db.query(SUMS, [ada.id]);
  expect(kept.length).toBeGreaterThan(10);
  // a seat whose product can no longer be told makes the whole account be counted again
  await server.db.query('update seat_counts set counted_at = null');
  await expectRecounted(ada, all, 'uncounted');
  await queueJob(server.db, 'expire-records');
  await added();
  expect(await server.db.query(SUMS, [ada.id])).toEqual(kept);
  await expectRecounted(ada, all, 'counted again');
  await expectRecounted(await signUp(server), [null, products[0].id], 'another account');
}, 240_000);

it('puts seats that nobody has seen for more than a year together, and takes one out that comes back', async () => {
  let eve = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: eve.id });
  const product = await makeProduct(server, eve.token);
  const [serial] = await makeSerials(server, eve.token, product.id);
  const key = await newKey(eve);
  // a version that it did not know is written at once
  const activate = (machine_id: string, version = '1.0') =>
    call(server, 'POST', '/api/license/v1/activate', {
      token: key,
      body: { license_key: serial?.code, machine_id, version, os: 'macOS', email: 'nina@example.com' },
    });
  for (const machine of ['a', 'b', 'c']) {
    await activate(machine);
    clock.advance(DAY);
  }
  await added();
  clock.advance(500 * DAY);
  const body = { email: eve.email, password: PASSWORD };
  eve = { ...eve, token: (await call(server, 'POST', '/api/auth/login', { body })).body.token };
  expect((await activate('c', '1.1')).status).toBe(200);
  await added();
  expect(
    await server.db.query('select seen_on, seats from seat_sums where developer_id = $1 order by 1', [eve.id]),
  ).toEqual([
    { seen_on: '0001-01-01', seats: 2 },
    { seen_on: clock.now().toISOString().slice(0, 10), seats: 1 },
  ]);
  expect((await activate('a', '1.1')).status).toBe(200);
  await expectRecounted(eve, [null, product.id], 'back');
  await added();
  await expectRecounted(eve, [null, product.id], 'back and added');
  expect((await get('machines', eve)).body).toMatchObject({ active_machines: 2, machines: 3 });
});

/** A developer whose serial one machine has, and whose seats have sums. */
async function withSums() {
  const ida = await signUp(server);
  const product = await makeProduct(server, ida.token);
  const [serial] = await makeSerials(server, ida.token, product.id);
  const key = await newKey(ida);
  const activate = (machine_id: string, version: string) =>
    call(server, 'POST', '/api/license/v1/activate', {
      token: key,
      body: { license_key: serial?.code, machine_id, version, os: 'macOS', email: 'nina@example.com' },
    });
  expect((await activate('studio', '1.0')).status).toBe(200);
  await added();
  return { ida, product, activate };
}

it('notes what a seat became from what it was when it was locked, not from what the statement had read', async () => {
  const { ida, product, activate } = await withSums();
  const meanwhile = await lockWith(
    server.db,
    `with seen as (update activations set version = '2.0' where developer_id = $1 returning developer_id, machine_id, os, last_seen_at)
     insert into seat_changes (developer_id, id, product_id, machine, version, os, seen_on, seats)
     select developer_id, gen_random_uuid(), $2, hashtextextended(machine_id, 0), f.version, os, (last_seen_at at time zone 'UTC')::date, f.seats
     from seen, (values ('1.0', -1), ('2.0', 1)) f (version, seats)`,
    [ida.id, product.id],
  );
  const waiting = activate('studio', '3.0');
  await meanwhile.untilWaiting(1);
  await meanwhile.release('commit');
  expect((await waiting).status).toBe(200);
  await expectRecounted(ida, [null, product.id], 'seen twice');
  await added();
  await expectRecounted(ida, [null, product.id], 'added');
});

it('a seat that ended in a way that noted nothing is found, and the others stay as they are', async () => {
  const { ida, product } = await withSums();
  const other = await withSums();
  const countedAt = async ({ id }: Person) =>
    (await server.db.query<{ at: Date }>('select counted_at as at from seat_counts where developer_id = $1', [id]))[0]
      ?.at;
  const before = await countedAt(other.ida);
  // as a process of the release before does, which leaves the note to a trigger
  await server.db.query('delete from activations where developer_id = $1', [ida.id]);
  expect((await get('machines', ida)).body).toMatchObject({ machines: 1 });
  clock.advance(1000);
  await beside({ server, clock }, (deps) => deps.seatCounter.check());
  await expectRecounted(ida, [null, product.id], 'checked');
  expect((await get('machines', ida)).body).toMatchObject({ machines: 0 });
  expect([await countedAt(ida), await countedAt(other.ida)]).toEqual([clock.now(), before]);
});
