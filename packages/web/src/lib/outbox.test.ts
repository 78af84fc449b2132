import { describe, expect, it } from 'vitest';
import { isRefusal, newReference, type Order, Outbox, pauseAfter, readOrders, SignedOut } from './outbox.ts';

const order: Order = { reference: 'till-1', product_id: 'p', product_name: 'Prism Delay', price: 29 };
const LOST = new Error('no network');
const status = (code: number, more: object = {}) =>
  Object.assign(new Error(`status ${code}`), { status: code, ...more });

/** An outbox whose server gives these answers, one after the other. */
function scene(answers: (Error | { code: string })[], stored: string | null = null) {
  const store = new Map<string, string>(stored === null ? [] : [['ada', stored]]);
  const sent: Order[] = [];
  const pauses: number[] = [];
  const told: unknown[] = [];
  let account: string | null = 'ada';
  const outbox = new Outbox<{ code: string }>({
    async send(each) {
      sent.push(each);
      const answer = answers.shift();
      if (!answer) throw new Error('nobody expected another try');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    store: {
      getItem: (key) => store.get(key) ?? null,
      setItem: (key, value) => void store.set(key, value),
      removeItem: (key) => void store.delete(key),
    },
    key: () => account,
    async pause(milliseconds) {
      pauses.push(milliseconds);
    },
    answered: (each, outcome) => told.push([each.reference, outcome]),
  });
  return { outbox, store, sent, pauses, told, signOut: () => (account = null) };
}

describe('an order', () => {
  it('is sent again, as it was, until there is an answer, and is then forgotten', async () => {
    const { outbox, store, sent, pauses } = scene([LOST, status(502), status(429, { retryAfter: 3 }), { code: 'A' }]);
    const seen: number[] = [];
    outbox.subscribe(() => seen.push(outbox.waiting()[0]?.tries ?? -1));
    expect(await outbox.sell(order)).toEqual({ code: 'A' });
    expect(sent).toEqual([order, order, order, order]);
    expect(pauses).toEqual([1000, 2000, 4000]);
    expect(seen).toEqual([0, 1, 2, 3, -1]);
    expect(store.size).toBe(0);
  });

  it('is stored before it is sent', async () => {
    const { outbox, store } = scene([{ code: 'A' }]);
    const sold = outbox.sell(order);
    expect(readOrders(store.get('ada') ?? null)).toEqual([order]);
    await sold;
  });

  it('that was refused is forgotten, with the reason', async () => {
    const { outbox, store, sent } = scene([LOST, status(409)]);
    await expect(outbox.sell(order)).rejects.toMatchObject({ status: 409 });
    expect([sent.length, store.size, outbox.waiting()]).toEqual([2, 0, []]);
  });

  it('is one, however often it is asked for', async () => {
    const { outbox, sent } = scene([LOST, { code: 'A' }]);
    expect(await Promise.all([outbox.sell(order), outbox.sell(order)])).toEqual([{ code: 'A' }, { code: 'A' }]);
    expect(sent).toHaveLength(2);
  });

  it('stays for the next page when the session has ended, and goes on there', async () => {
    const first = scene([status(401)]);
    await expect(first.outbox.sell(order)).rejects.toMatchObject({ status: 401 });
    const left = first.store.get('ada') ?? null;
    expect(readOrders(left)).toEqual([order]);
    const next = scene([LOST, { code: 'A' }], left);
    next.outbox.resume();
    next.outbox.resume();
    await expect.poll(() => next.told).toEqual([['till-1', { sale: { code: 'A' } }]]);
    expect([next.sent.length, next.store.size]).toEqual([2, 0]);
  });

  it('is not sent for somebody else who has signed in since', async () => {
    const { outbox, store, sent, signOut } = scene([LOST, { code: 'A' }]);
    const sold = outbox.sell(order);
    signOut();
    await expect(sold).rejects.toBeInstanceOf(SignedOut);
    expect([sent.length, store.size]).toEqual([1, 1]);
  });
});

describe('an answer', () => {
  it.each([400, 403, 404, 409, 422])('with status %i is a refusal', (code) => {
    expect(isRefusal(status(code))).toBe(true);
  });

  it.each([401, 408, 425, 500, 502, 503, 302, 200])('with status %i leaves it open', (code) => {
    expect(isRefusal(status(code))).toBe(false);
  });

  it('that never came leaves it open, and so does a short wait, but not a day', () => {
    expect([isRefusal(LOST), isRefusal(undefined)]).toEqual([false, false]);
    expect([isRefusal(status(429)), isRefusal(status(429, { retryAfter: 60 }))]).toEqual([false, false]);
    expect(isRefusal(status(429, { retryAfter: 3600 }))).toBe(true);
  });
});

it('the pauses grow, and end at ten seconds', () => {
  expect([1, 2, 3, 4, 5, 9].map(pauseAfter)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
});

it('a reference has the day and no letter that reads like another', () => {
  const reference = newReference(new Date(2026, 0, 5), new Uint8Array([0, 30, 31, 61, 255, 100, 8, 9]));
  expect(reference).toMatch(/^till-20260105-[2-9a-hjkmnp-z]{8}$/);
});

it.each([null, 'x', '{}', '[1]', '[{"reference":"a"}]'])(
  'stored text that is no list of orders is none: %s',
  (text) => {
    expect(readOrders(text)).toEqual([]);
  },
);
