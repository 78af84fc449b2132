import { expect, it } from 'vitest';
import { fastspring } from './fastspring.ts';
import type { ListPage, ShopApi } from './port.ts';

const sale = (reference: string, products: readonly string[] = ['glide']) => ({
  reference,
  currency: 'USD',
  items: products.map((product) => ({ product, quantity: 1, subtotal: 50 })),
});
const event = (id: string, type: string, data: object, live = true) => ({ id, type, live, created: 1_000, data });
const read = (type: string, data: object) =>
  fastspring.read({ headers: {}, body: Buffer.from(JSON.stringify(event('e1', type, data))) });

/** A list of what could not be delivered, and what was marked as done of it. */
function listOf(events: readonly ReturnType<typeof event>[], mode: 'live' | 'test') {
  const done: string[] = [];
  const shop: ShopApi = {
    credentials: {},
    mode,
    async ask(path, { method } = {}) {
      if (method === 'POST') done.push(path.split('/').at(-1) as string);
      return { status: 200, headers: {}, json: { events: events.filter(({ id }) => !done.includes(id)) } };
    },
  };
  return { shop, done };
}

async function ordersIn({ shop }: ReturnType<typeof listOf>): Promise<string[]> {
  const orders: string[] = [];
  let page: string | null = null;
  for (let pages = 0; pages < 5; pages += 1) {
    const found: ListPage | undefined = await fastspring.api?.changes?.(shop, new Date(0), page, new Date(0));
    orders.push(...(found?.readings ?? []).map(({ orderKey }) => orderKey));
    page = found?.next ?? null;
    if (page === null) break;
  }
  return orders;
}

it.each([
  ['live', 'LIVE', 'e1'],
  ['test', 'TEST', 'e2'],
] as const)(
  'reads of its list what is of the %s mode, and leaves what is of the other one',
  async (mode, order, id) => {
    const list = listOf(
      [event('e1', 'order.completed', sale('LIVE')), event('e2', 'order.completed', sale('TEST'), false)],
      mode,
    );
    expect(await ordersIn(list)).toEqual([order]);
    expect(list.done).toEqual([id]);
  },
);

it('takes both of two lines back that are of the same product', () => {
  const order = read('order.completed', sale('R1', ['glide', 'glide']));
  const lines = 'order' in order ? order.order?.lines.map(({ id, quantity }) => ({ id, quantity })) : null;
  const item = { product: 'glide', quantity: 1, subtotal: 50, refundType: 'Full Refund' };
  const back = read('return.created', {
    return: 'r1',
    currency: 'USD',
    original: { reference: 'R1' },
    items: [item, item],
  });
  expect(back).toMatchObject({ reversals: [{ key: 'r1', lines }] });
});
