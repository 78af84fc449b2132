import { expect, it } from 'vitest';
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
  // of another payment, and of none: it is of no order that could be taken for it
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
