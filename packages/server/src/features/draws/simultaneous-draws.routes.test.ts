import { drawCalls, statuses } from '@tonerow/test-support/draw-calls.ts';
import { call, makeProduct, redeem } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
const LATER = '2026-12-31T00:00:00Z';
let server: TestServer;
let pair: Partners;
let productId: string;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  pair = await makePartners(server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  productId = (await makeProduct(server, pair.developer.token)).id;
});

const { order, draw, get, giveBack, stock, setStatus } = drawCalls(() => ({ server, pair, productId }));
/** One draw, for which the shop asks until it is answered. */
const drawn = (body: object = {}) => {
  const reference = order();
  return insist(() => draw({ reference, ...body }));
};

describe('at the same moment', () => {
  it('a pause that commits first gets nothing handed out', async () => {
    await stock({ quantity: 2 });
    // the partnership is known to be active
    expect((await draw()).status).toBe(201);
    const lock = await lockWith(server.db, "update partnerships set status = 'paused' where id = $1", [
      pair.partnershipId,
    ]);
    const late = draw();
    await lock.untilWaiting(1);
    await lock.release('commit');
    try {
      const { status, body } = await late;
      expect([status, body.code]).toEqual([409, 'partner_paused']);
      const handedOut = await server.db.query(
        `select 1 from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
         where b.product_id = $1 and s.handed_out_at is not null`,
        [productId],
      );
      expect(handedOut).toHaveLength(1);
    } finally {
      await setStatus('active');
    }
  });

  it('a draw waits for serials that others hold, and gets all of its codes when they let go', async () => {
    // two more than the threshold of their product: one statement hands out
    const made = await stock({ quantity: 12 });
    const held = made.slice(1).map(({ id }) => id);
    const lock = await lockWith(server.db, 'select 1 from serials where id = any($1::uuid[]) for update', [held]);
    const late = draw({ quantity: 2 });
    await lock.untilWaiting(1);
    await lock.release('rollback');
    const { status, body } = await late;
    expect([status, body.codes?.length]).toEqual([201, 2]);
  });

  it('200 draws on a pool of 50 get its 50 codes, each once', async () => {
    const made = await stock({ quantity: 50 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => drawn()));
    expect(statuses(answers)).toEqual({ 201: 50, 409: 150 });
    const codes = answers.flatMap(({ body }) => body.codes ?? []);
    expect(codes.sort()).toEqual(made.map(({ code }) => code).sort());
    const refused = answers.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ body }) => body.available))).toEqual(new Set([0]));
  }, 120_000);

  it('10 draws of 10 on a pool of 55 get 50 codes, and all others learn that 5 are left', async () => {
    await stock({ quantity: 25 });
    await stock({ quantity: 30, expires_at: LATER });
    const answers = await Promise.all(Array.from({ length: 10 }, () => drawn({ quantity: 10 })));
    expect(statuses(answers)).toEqual({ 201: 5, 409: 5 });
    expect(new Set(answers.flatMap(({ body }) => body.codes ?? [])).size).toBe(50);
    for (const { status, body } of answers) if (status === 409) expect(body.available).toBeLessThan(10);
    expect((await draw({ quantity: 10 })).body.available).toBe(5);
  }, 60_000);

  it('a draw and redemptions share the pool: no code is both drawn and redeemed before', async () => {
    const made = await stock({ quantity: 20 });
    const [drawn, ...redeemed] = await Promise.all([
      draw({ quantity: 15 }),
      ...made.slice(0, 5).map(({ code }, n) => redeem(server, code, `buyer${n}@example.com`)),
    ]);
    expect(drawn.status, drawn.text).toBe(201);
    expect(redeemed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(drawn.body.codes).size).toBe(15);
  });

  it.each<[string, (made: { id: string; code: string }[], batch: string) => Promise<unknown>]>([
    [
      'revoking the batch',
      (_, batch) => call(server, 'POST', `/api/batches/${batch}/revoke`, { token: pair.developer.token }),
    ],
    [
      'deleting the group',
      async () => {
        const { name } = (await get(`/api/products/${productId}`, pair.developer)).body;
        const path = `/api/serials/group/${encodeURIComponent(name)}`;
        return call(server, 'DELETE', path, { token: pair.developer.token });
      },
    ],
    [
      'deleting the serials',
      (made) =>
        call(server, 'POST', '/api/serials/bulk', {
          token: pair.developer.token,
          body: { action: 'delete', ids: made.map(({ id }) => id) },
        }),
    ],
  ])('draws and %s: what was handed out stays, with its draw', async (_what, act) => {
    const made = await stock({ quantity: 40 });
    const batch = (await get(`/api/serials/${made[0]?.id}`, pair.developer)).body.batch_id;
    const [, ...answers] = await Promise.all([act(made, batch), ...Array.from({ length: 10 }, () => drawn())]);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    for (const { body } of answers.filter(({ status }) => status === 201)) {
      const [row] = await server.db.query('select draw_id, revoked_at from serials where code = $1', [body.codes[0]]);
      expect(row?.draw_id).toBe(body.id);
    }
    const [left] = await server.db.query(
      `select count(*) as n from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
       where b.product_id = $1 and s.revoked_at is null and s.handed_out_at is null`,
      [productId],
    );
    expect(left?.n).toBe(0);
  });

  it('returns, draws and redemptions leave each code in one state', async () => {
    await stock({ quantity: 10 });
    const reference = order();
    const first = await draw({ reference, quantity: 10 });
    const codes = first.body.codes as string[];
    const [, back, again, ...redeemed] = await Promise.all([
      giveBack(reference),
      giveBack(reference),
      draw({ quantity: 2 }),
      ...codes.slice(0, 5).map((code, n) => redeem(server, code, `racer${n}@example.com`)),
    ]);
    expect(redeemed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(back.body.returned.length + back.body.not_returned.length).toBe(10);
    const repeated = await giveBack(reference);
    expect(repeated.body).toEqual(back.body);
    const rows = await server.db.query(
      `select s.code, s.draw_id, s.redeemed_at, i.returned_at from draw_items i join serials s on (s.developer_id, s.id) = (i.developer_id, i.serial_id)
       where i.draw_id = $1`,
      [first.body.id],
    );
    for (const row of rows) {
      if (row.returned_at === null) expect(row.draw_id).toBe(first.body.id);
      else expect([null, again.body.id]).toContain(row.draw_id);
    }
  });
});
