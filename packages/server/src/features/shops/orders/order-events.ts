import { recordWebhooks } from '#features/webhooks';
import type { Publisher } from '#platform/events.ts';
import { toDollars } from '#platform/money.ts';
import { decimalOf } from '../money.ts';
import type { ShopOrderEvent } from '../shop-events.ts';
import type { ShopsHandle } from '../tables.ts';
import type { OrderRow, UnitRow } from './order-rows.queries.ts';
import type { OrderState, Reason } from './states.ts';

interface Dependencies {
  events: Publisher<ShopOrderEvent>;
}

/** The changes to an order's units, and when they were made. */
interface Done {
  units: ReadonlyMap<string, UnitRow>;
  changed: ReadonlySet<UnitRow>;
  now: Date;
}

interface Before {
  state: OrderState;
  reasons: readonly Reason[];
}

type EventType = 'order.received' | 'order.issued' | 'order.attention' | 'order.refunded';

const HAS: ReadonlySet<UnitRow['state']> = new Set(['issued', 'delivered', 'suspended', 'kept']);
const LACKS: ReadonlySet<UnitRow['state']> = new Set(['wanted', 'waiting']);

/** News of an order. */
interface OrderNews {
  order: OrderRow;
  before: Before;
  work: Done;
}

/**
 * Notifies webhooks and screens of changed orders of one account, in the transaction that changes them. What changed nothing is not
 * reported.
 */
export async function notifyOrdersChanged(
  { events }: Dependencies,
  tx: ShopsHandle,
  all: readonly OrderNews[],
): Promise<void> {
  const news = all
    .map((each) => ({ ...each, types: typesOf(each.order, each.before, each.work) }))
    .filter(
      ({ order, before, work, types }) => types.length > 0 || order.state !== before.state || work.changed.size > 0,
    );
  const [first] = news;
  if (!first) return;
  const { developer_id: accountId } = first.order;
  await events.publish(
    tx,
    accountId,
    news.map(({ order: { id, connection_id, number, state } }) => ({
      type: 'shop_order' as const,
      data: { order_id: id, shop_id: connection_id, number: number.slice(0, 100), state },
    })),
  );
  const webhookEvents = news.flatMap(({ order, work, types }) =>
    // the first event is delivered first
    types.map((type, place) => ({ type, at: new Date(work.now.getTime() + place), data: bodyOf(order, work) })),
  );
  for (const [, together] of Map.groupBy(webhookEvents, ({ type, at }) => `${at.getTime()} ${type}`))
    await recordWebhooks(tx, accountId, together);
}

function bodyOf(order: OrderRow, work: Done) {
  const units = [...work.units.values()];
  return {
    order_id: order.id,
    shop_id: order.connection_id,
    number: order.number,
    state: order.state,
    currency: order.currency,
    paid: order.currency === null ? null : decimalOf(order.net_minor, order.currency),
    paid_usd: toDollars(order.usd_cents),
    serials: units.filter((unit) => HAS.has(unit.state)).length,
    missing: units.filter((unit) => LACKS.has(unit.state)).length,
    reasons: [...order.reasons],
    test: order.is_test,
    ...(order.email === null ? {} : { email: order.email }),
    first_name: order.first_name,
    last_name: order.last_name,
  };
}

function typesOf(order: OrderRow, before: Before, { changed, now }: Done): EventType[] {
  if (order.state === 'seen') return [];
  const known = new Set(before.reasons);
  const asks = order.state === 'attention' && order.reasons.some((reason) => !known.has(reason));
  // one that is gone and changes its price is no news
  const hasTakenBack = [...changed].some(
    ({ state, ended_at }) => (state === 'revoked' || state === 'suspended') && ended_at?.getTime() === now.getTime(),
  );
  const turned = order.state !== before.state && (order.state === 'refunded' || order.state === 'disputed');
  return [
    ...(before.state === 'seen' ? (['order.received'] as const) : []),
    ...(order.state === 'issued' && before.state !== 'issued' ? (['order.issued'] as const) : []),
    ...(asks ? (['order.attention'] as const) : []),
    ...(hasTakenBack || turned ? (['order.refunded'] as const) : []),
  ];
}
