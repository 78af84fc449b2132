import { expect, it } from 'vitest';
import { converge, type ReversalFacts } from '../orders/converge.ts';
import type { Reading, ReversalSnapshot, ShopApi } from './port.ts';
import { stripe } from './stripe.ts';

const labelOf = (type: string, object: object) =>
  stripe.label({
    headers: {},
    body: Buffer.from(JSON.stringify({ id: 'evt_1', type, livemode: true, data: { object } })),
  });

it('finds the order of a refund or a dispute by the payment, whether that is named or told whole', () => {
  const session = { id: 'cs_1', payment_intent: 'pi_1', invoice: null };
  const { orderKey } = labelOf('checkout.session.completed', session);
  expect(orderKey).toBe('pi_1');
  for (const [type, object] of [
    ['refund.created', { id: 're_1', charge: 'ch_1', payment_intent: 'pi_1' }],
    ['refund.updated', { id: 're_1', charge: 'ch_1', payment_intent: { id: 'pi_1', object: 'payment_intent' } }],
    ['charge.dispute.created', { id: 'du_1', charge: 'ch_1', payment_intent: 'pi_1' }],
  ] as const)
    expect([type, labelOf(type, object).orderKey]).toEqual([type, orderKey]);
  // another payment, and none: it is of no order that could be taken for it
  expect(labelOf('refund.created', { id: 're_2', payment_intent: 'pi_2' }).orderKey).toBe('pi_2');
  expect(labelOf('refund.created', { id: 're_3', charge: 'ch_1', payment_intent: null }).orderKey).toBeNull();
});

it('names the payment of what is refunded in its reading, too', () => {
  const object = {
    id: 're_1',
    amount: 500,
    currency: 'usd',
    status: 'succeeded',
    payment_intent: 'pi_1',
    charge: 'ch_1',
  };
  const body = Buffer.from(
    JSON.stringify({ id: 'evt_1', type: 'refund.created', created: 1_764_151_200, data: { object } }),
  );
  expect(stripe.read({ headers: {}, body })).toMatchObject({
    reversals: [{ orderId: 'pi_1', key: 're_1', kind: 'refund' }],
  });
});

/** A charge of 9800 with its refunds, as the API has them now. */
function chargeOf(refunds: Record<string, unknown>[]) {
  const refund = (id: string, amount: number) => {
    const made = { id, amount, currency: 'usd', status: 'succeeded', charge: 'ch_1', payment_intent: 'pi_1' };
    refunds.unshift(made);
    return made;
  };
  const shop: ShopApi = {
    credentials: {},
    mode: 'live',
    async ask(path) {
      const amount_refunded = refunds
        .filter(({ status }) => status === 'succeeded')
        .reduce((sum, { amount }) => sum + (amount as number), 0);
      const json = path.startsWith('/v1/charges/ch_1')
        ? { id: 'ch_1', amount: 9800, amount_refunded, refunded: amount_refunded === 9800 }
        : { data: refunds, has_more: false };
      return { status: 200, headers: {}, json };
    },
  };
  const told = async (type: string, object: object): Promise<readonly ReversalSnapshot[]> => {
    const body = Buffer.from(JSON.stringify({ id: 'evt', type, created: 1_764_151_200, data: { object } }));
    const reading = (await stripe.api?.complete(stripe.read({ headers: {}, body }), shop)) as Reading;
    return 'reversals' in reading ? (reading.reversals ?? []) : [];
  };
  return { refund, told };
}

const line = { id: 'l', externalId: 'li_1', quantity: 2, paidQuantity: 2, productIds: ['p'], units: 1 };

/** The states wanted for the two units of the charge's order. */
function unitsAfter(reversals: readonly ReversalSnapshot[]) {
  const facts: ReversalFacts[] = [...new Map(reversals.map((each) => [each.key, each])).values()].map(
    ({ amount, isNet = false, ...rest }) => ({
      ...rest,
      isNet,
      amountMinor: amount === null ? null : Math.round(Number(amount) * 100),
    }),
  );
  const { wishes } = converge({
    isPaid: true,
    isCanceled: false,
    lines: [{ ...line, isIgnored: false, usdCents: 9800, netMinor: 9800, grossMinor: null }],
    reversals: facts,
    units: [],
    onRefund: 'ask',
    onDispute: 'suspend',
  });
  return wishes.map(({ want, backCents }) => [want, backCents]);
}

it('gives everything back when one of two refunds fails that were both read after the whole was refunded', async () => {
  const { refund, told } = chargeOf([]);
  const [part, rest] = [refund('re_1', 900), refund('re_2', 8900)];
  const known = [...(await told('refund.created', part)), ...(await told('refund.created', rest))];
  expect(unitsAfter(known).map(([want]) => want)).toEqual(['gone', 'gone']);
  Object.assign(rest, { status: 'failed' });
  known.push(...(await told('refund.failed', rest)));
  // the first refund stays what it is: an amount
  const kept = [
    ['have', 450],
    ['have', 450],
  ];
  expect(unitsAfter(known)).toEqual(kept);
  // read once more, by the list
  known.push(...(await told('refund.updated', part)), ...(await told('refund.updated', rest)));
  expect(unitsAfter(known)).toEqual(kept);
  // a further refund after that makes it the whole again
  known.push(...(await told('refund.created', refund('re_3', 8900))));
  expect(unitsAfter(known).map(([want]) => want)).toEqual(['gone', 'gone']);
});
