import { expect, it } from 'vitest';
import { connectors } from '../../packages/server/src/features/shops/connectors/index.ts';
import { kinds, kindWords } from '../../packages/web/src/features/shops/kinds.ts';

/** The names that an admin knows for the topics that a webhook has in a header. */
const TOPICS: Record<string, string> = {
  'Order creation': 'orders/create',
  'Order payment': 'orders/paid',
  'Order update': 'orders/updated',
  'Order edit': 'orders/edited',
  'Order cancellation': 'orders/cancelled',
  'Refund create': 'refunds/create',
  'Order created': 'order.created',
  'Order updated': 'order.updated',
};
const ADMIN = new RegExp(`(${Object.keys(TOPICS).join('|')})\\b`, 'g');
/** A list of events by the names that they have in their bodies. */
const NAMES = /^[a-z_]+(\.[a-z_]+)*(, [a-z_]+(\.[a-z_]+)*)+$/;

/** The events that the steps of a kind have the seller choose. */
const chosen = (kind: (typeof kinds)[number]) =>
  kindWords[kind].steps.flatMap(({ where = '' }) =>
    NAMES.test(where) ? where.split(', ') : (where.match(ADMIN) ?? []).map((name) => TOPICS[name] as string),
  );

/** An event of that name about an order, as whichever shop would send it. */
function inbound(event: string) {
  const object = { id: '1', reference: 'R1', payment_intent: 'pi_1', billing_reason: 'subscription_cycle' };
  const data = { ...object, order: '1', transaction_id: '1', original: { reference: 'R1' }, object, attributes: {} };
  const one = { id: 'evt_1', type: event, data };
  const body = {
    ...one,
    order_id: '1',
    event_id: 'evt_1',
    event_type: event,
    meta: { event_name: event },
    events: [one],
  };
  return {
    headers: { 'x-shopify-topic': event, 'x-wc-webhook-topic': event, 'webhook-id': '1' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

it('no shop is asked to send an event that nothing is done about', () => {
  const useless = kinds.flatMap((kind) =>
    chosen(kind).flatMap((event) => {
      const label = connectors[kind].label(inbound(event));
      return label.ignored !== undefined || label.orderKey === null ? [`${kind} ${event}: ${label.ignored}`] : [];
    }),
  );
  expect(useless).toEqual([]);
});

it('each shop is asked to send its sales, and what is taken back of them', () => {
  const said = (kind: (typeof kinds)[number]) => chosen(kind).sort();
  expect(said('shopify')).toEqual([
    'orders/cancelled',
    'orders/create',
    'orders/paid',
    'orders/updated',
    'refunds/create',
  ]);
  expect(said('woocommerce')).toEqual(['order.created', 'order.updated']);
  expect(said('stripe')).toEqual([
    'charge.dispute.closed',
    'charge.dispute.created',
    'checkout.session.async_payment_failed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.completed',
    'invoice.paid',
    'refund.created',
    'refund.failed',
    'refund.updated',
  ]);
  for (const kind of kinds.filter((each) => each !== 'gumroad'))
    expect([kind, said(kind).length > 1]).toEqual([kind, true]);
});
