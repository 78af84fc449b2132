import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let server: TestServer;
let ada: Person;
let stranger: Person;
let key: string;
let product: { id: string };
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  [ada, stranger] = [await signUp(server), await signUp(server)];
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});
afterAll(() => server.stop());

const ask = (verb: string, body: object) => call(server, 'POST', `/api/license/v1/${verb}`, { token: key, body });
const serial = async () =>
  (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0] as { id: string; code: string };
const activate = (license_key: string, machine_id: string, more: object = {}) =>
  ask('activate', { license_key, machine_id, email: 'nina@example.com', ...more });
const deactivate = (license_key: string, machine_id: string) => ask('deactivate', { license_key, machine_id });
const setSeats = (id: string, max_activations: unknown, token = ada.token) =>
  call(server, 'PATCH', `/api/serials/${id}/seats`, { token, body: { max_activations } });
const release = (id: string, token = ada.token) => call(server, 'POST', `/api/machines/${id}/release`, { token });
const machines = (serialId: string) =>
  server.db.query<{
    id: string;
    machine_id: string;
    released_at: Date | null;
    label: string | null;
    os: string | null;
  }>('select id, machine_id, released_at, label, os from activations where serial_id = $1 order by id', [serialId]);
const seatsUsed = async (id: string) =>
  (await server.db.query<{ n: number }>('select seats_used as n from serials where id = $1', [id]))[0]?.n;

describe('a serial that was activated', () => {
  it('counts as one for good: after two machines at once, a move, a deactivation and the machines’ erasure', async () => {
    const started = clock.now();
    const [own, other] = [await serial(), await serial()];
    const both = await Promise.all([
      activate(own.code, 'left'),
      activate(own.code, 'right'),
      activate(other.code, 'x', { email: 'erased@example.com' }),
    ]);
    expect(both.map(({ body }) => body.ok)).toEqual([true, true, true]);
    const activatedAt = (id: string) =>
      server.db.query<{ at: Date | null }>('select activated_at as at from serials where id = $1', [id]);
    expect(await activatedAt(own.id)).toEqual([{ at: started }]);
    clock.advance(DAY / 24);
    const validation_token = both[0]?.body.validation_token as string;
    const moved = { license_key: own.code, old_machine_id: 'left', machine_id: 'third', validation_token };
    expect((await ask('transfer', moved)).body.ok).toBe(true);
    expect((await activate(own.code, 'new')).body.ok).toBe(true);
    for (const machine of ['right', 'third', 'new']) await deactivate(own.code, machine);
    await activate(own.code, 'right', { old_machine_ids: ['new'] });
    expect(await activatedAt(own.id)).toEqual([{ at: started }]);
    expect(await activatedAt((await serial()).id)).toEqual([{ at: null }]);
    await deactivate(other.code, 'x');
    const [{ customer_id: customer }] = (await server.db.query('select customer_id from serials where id = $1', [
      other.id,
    ])) as [{ customer_id: string }];
    const erased = await call(server, 'DELETE', `/api/customers/${customer}`, { token: ada.token });
    expect(erased.status).toBe(200);
    expect(await machines(other.id)).toEqual([]);
    expect(await activatedAt(other.id)).toEqual([{ at: started }]);
  });
});

describe('seats of one serial', () => {
  it('override the product’s immediately, and can be reset', async () => {
    const { id, code } = await serial();
    for (const machine of ['a', 'b', 'c']) await activate(code, machine);
    expect((await activate(code, 'd')).body.status).toBe('seat_limit');
    expect((await setSeats(id, 5)).body).toEqual({ id, own: true, max_activations: 5, seats_used: 3, remaining: 2 });
    expect((await activate(code, 'd')).body).toMatchObject({ ok: true, max_activations: 5, remaining: 1 });
    expect((await ask('validate', { license_key: code, machine_id: 'a' })).body).toMatchObject({
      max_activations: 5,
      remaining: 1,
    });
    expect((await setSeats(id, null)).body).toMatchObject({ own: false, max_activations: 3, remaining: 0 });
    const other = await serial();
    expect((await activate(other.code, 'a')).body.max_activations).toBe(3);
  });

  it('may be fewer than are taken: who has one keeps it', async () => {
    const { id, code } = await serial();
    for (const machine of ['a', 'b']) await activate(code, machine);
    expect((await setSeats(id, 1)).body).toMatchObject({ seats_used: 2, remaining: 0 });
    for (const machine of ['a', 'b']) {
      expect((await activate(code, machine)).body).toMatchObject({ ok: true, remaining: 0 });
      expect((await ask('validate', { license_key: code, machine_id: machine })).body.ok).toBe(true);
    }
    await deactivate(code, 'a');
    expect((await activate(code, 'a')).body.status).toBe('seat_limit');
  });

  it('are the developer’s to set, within reason', async () => {
    const { id } = await serial();
    expect((await setSeats(id, 2, stranger.token)).status).toBe(404);
    for (const bad of [0, -1, 1.5, 1001, '3', undefined]) expect((await setSeats(id, bad)).status).toBe(400);
  });

  it('are given to one of fifty machines when one is left', async () => {
    const { id, code } = await serial();
    await setSeats(id, 1);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => insist(() => activate(code, `machine-${i}`))),
    );
    expect(answers.filter((answer) => answer.body.ok)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.status === 'seat_limit')).toHaveLength(49);
    expect(await seatsUsed(id)).toBe(1);
    expect(await machines(id)).toHaveLength(1);
  }, 120_000);
});

describe('releasing a machine', () => {
  it('frees one seat however many calls ask for it, and the machine finds out', async () => {
    const { id, code } = await serial();
    await activate(code, 'a');
    await activate(code, 'b');
    const [machine] = await machines(id);
    const path = machine?.id as string;
    expect((await release(path, stranger.token)).status).toBe(404);
    expect((await release(stranger.id)).status).toBe(404);
    const answers = await Promise.all([release(path), release(path), deactivate(code, 'a')]);
    const freed = [answers[0].body.released, answers[1].body.released, answers[2].body.ok];
    expect(freed.filter(Boolean)).toHaveLength(1);
    expect(answers[0].status).toBe(200);
    expect(await seatsUsed(id)).toBe(1);
    expect((await release(path)).body).toEqual({
      ok: true,
      released: false,
      serial_id: id,
      max_activations: 3,
      seats_used: 1,
      remaining: 2,
    });
    expect((await ask('validate', { license_key: code, machine_id: 'a' })).body.status).toBe('not_activated');
    expect((await activate(code, 'a')).body.remaining).toBe(1);
  });

  it('and activating at once never loses count', async () => {
    const { id, code } = await serial();
    await activate(code, 'a');
    const [machine] = await machines(id);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        if (i % 3 === 0) return insist(() => release(machine?.id as string));
        return insist(() => (i % 3 === 1 ? activate(code, 'a') : deactivate(code, 'a')));
      }),
    );
    expect(answers.filter((answer) => answer.status >= 500)).toEqual([]);
    const held = (await machines(id)).filter((each) => each.released_at === null);
    expect(await seatsUsed(id)).toBe(held.length);
  });
});

describe('machines never seen before', () => {
  it('are at most twice the seats and three more in 30 days, and known ones are always welcome', async () => {
    const { id, code } = await serial();
    for (let i = 0; i < 9; i += 1) {
      expect((await activate(code, `new-${i}`)).body.ok).toBe(true);
      await deactivate(code, `new-${i}`);
    }
    const refused = await activate(code, 'new-9');
    expect([refused.status, refused.body.status]).toEqual([409, 'churn_limit']);
    expect(refused.body.error).toMatch(/too many new machines/);
    expect(await seatsUsed(id)).toBe(0);
    expect(await machines(id)).toHaveLength(9);
    for (let i = 0; i < 20; i += 1) {
      expect((await activate(code, 'new-3')).body).toMatchObject({ ok: true, remaining: 2 });
      await deactivate(code, 'new-3');
    }
    await activate(code, 'new-3');
    const token = (await activate(code, 'new-4')).body.validation_token;
    const moved = await ask('transfer', {
      license_key: code,
      old_machine_id: 'new-4',
      machine_id: 'new-21',
      validation_token: token,
    });
    expect(moved.body.status).toBe('churn_limit');
    expect((await ask('validate', { license_key: code, machine_id: 'new-4' })).body.ok).toBe(true);
    for (let day = 0; day < 31; day += 1) {
      clock.advance(DAY);
      await call(server, 'GET', '/api/auth/me', { token: ada.token });
    }
    expect((await activate(code, 'new-20')).body.ok).toBe(true);
  });

  it('may be twice the seats, where there are many', async () => {
    const { id, code } = await serial();
    await setSeats(id, 25);
    for (let i = 0; i < 25; i += 1) expect((await activate(code, `m-${i}`)).body.ok).toBe(true);
    expect((await activate(code, 'm-25')).body.status).toBe('seat_limit');
  });
});

describe('a machine', () => {
  it('accepts a name and an operating system, and keeps them when later calls omit them', async () => {
    const { id, code } = await serial();
    await activate(code, 'a', { label: 'Studio', os: 'macOS 26', version: '1.0' });
    await activate(code, 'a', { version: '1.1' });
    expect(await machines(id)).toMatchObject([{ label: 'Studio', os: 'macOS 26' }]);
  });

  it('never refuses a call for what the machine reports about itself: that is cleaned and truncated', async () => {
    const { id, code } = await serial();
    const told = async (field: string, sent: unknown) => {
      expect((await activate(code, 'a', { [field]: sent })).body.status).toBe('active');
      const [row] = await server.db.query<Record<string, string>>(
        `select ${field} as said from activations where serial_id = $1`,
        [id],
      );
      return row?.said;
    };
    for (const field of ['label', 'os', 'version']) {
      expect(await told(field, 'x'.repeat(5000))).toBe('x'.repeat(100));
      expect(await told(field, '🎛'.repeat(150))).toBe('🎛'.repeat(100));
      expect(await told(field, ' Nina’s\r\n\u200bMac\u0000\u202e \u0007')).toBe('Nina’s Mac');
      expect(await told(field, 7.5)).toBe('7.5');
      expect(await told(field, 'half \ud83c a pair')).toBe('half \ufffd a pair');
      // empty values change nothing
      for (const nothing of ['', ' \n', null, true, { a: 1 }, [], [{}]]) {
        expect(await told(field, nothing)).toBe('half \ufffd a pair');
      }
    }
  });
});

describe('a transfer', () => {
  const transfer = (license_key: string, from: string, to: string, validation_token: unknown) =>
    ask('transfer', { license_key, old_machine_id: from, machine_id: to, validation_token });

  it('moves the seat without taking another, and returns the same when repeated', async () => {
    const { id, code } = await serial();
    for (const machine of ['b', 'c']) await activate(code, machine);
    const token = (await activate(code, 'a')).body.validation_token;
    const answers = await Promise.all([transfer(code, 'a', 'a2', token), transfer(code, 'a', 'a2', token)]);
    for (const answer of [...answers, await transfer(code, 'a', 'a2', token)]) {
      expect(answer.body).toMatchObject({ ok: true, status: 'active', max_activations: 3, remaining: 0 });
    }
    expect(await seatsUsed(id)).toBe(3);
    expect((await ask('validate', { license_key: code, machine_id: 'a' })).body.status).toBe('not_activated');
    const fresh = (await transfer(code, 'a', 'a2', token)).body.validation_token;
    const validated = await ask('validate', { license_key: code, machine_id: 'a2', validation_token: fresh });
    expect(validated.body).toEqual({ ok: true, status: 'active', max_activations: 3, remaining: 0 });
    expect((await transfer(code, 'a', 'a3', token)).body.status).toBe('not_activated');
  });

  it('to a machine that has a seat already leaves one', async () => {
    const { id, code } = await serial();
    const token = (await activate(code, 'a')).body.validation_token;
    await activate(code, 'b');
    expect((await transfer(code, 'a', 'b', token)).body).toMatchObject({ ok: true, remaining: 2 });
    expect(await seatsUsed(id)).toBe(1);
  });

  it('and an activation of the new machine at once count its seat once', async () => {
    const { id, code } = await serial();
    const validation_token = (await activate(code, 'old')).body.validation_token;
    const lock = await lockWith(server.db, 'select 1 from serials where id = $1 for update', [id]);
    const moved = ask('transfer', { license_key: code, old_machine_id: 'old', machine_id: 'new', validation_token });
    await lock.untilWaiting(1);
    const activated = activate(code, 'new');
    await lock.untilWaiting(2);
    await lock.release();
    expect([(await moved).body.remaining, (await activated).body.remaining]).toEqual([2, 2]);
    expect(await seatsUsed(id)).toBe(1);
  });

  it('needs the old machine’s own token', async () => {
    const { code } = await serial();
    const other = await serial();
    const token = (await activate(code, 'a')).body.validation_token as string;
    const theirs = (await activate(code, 'b')).body.validation_token;
    const foreign = (await activate(other.code, 'a')).body.validation_token;
    for (const bad of [theirs, foreign, token.slice(0, -4), 'rubbish']) {
      expect((await transfer(code, 'a', 'z', bad)).body.status).toBe('invalid_token');
    }
    for (const bad of [undefined, '', 7]) {
      expect((await transfer(code, 'a', 'z', bad)).body.status).toBe('invalid_request');
    }
    expect((await transfer(code, 'never', 'z', token)).body.status).toBe('not_activated');
    // the machine was offline until its token expired, which still proves that it had the seat
    clock.advance(40 * DAY);
    expect((await transfer(code, 'a', 'z', token)).body.status).toBe('active');
    expect((await transfer(code, 'a', 'a', token)).body.status).toBe('invalid_request');
  });
});

it('keeps of every serial when its first machine took a seat, whichever way it did', async () => {
  const differing = await server.db.query(
    `select s.code, s.activated_at as kept, min(a.created_at) as first
     from serials s join activations a on (a.developer_id, a.serial_id) = (s.developer_id, s.id)
     group by s.developer_id, s.id having s.activated_at is distinct from min(a.created_at)`,
  );
  expect(differing).toEqual([]);
});
