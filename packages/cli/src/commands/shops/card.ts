import type { Shop } from '@tonerow/sdk';
import { list } from '#output/table.ts';

/** Whether a secret signs what it reports. */
export const isSigned = ({ kind }: Pick<Shop, 'kind'>): boolean => kind !== 'gumroad';

export function stateOf(shop: Shop): string {
  if (shop.state === 'off') return 'paused';
  if (shop.trouble) return `attention: ${shop.trouble}`;
  return isSigned(shop) && !shop.has_secret ? 'without a secret' : 'working';
}

/** The address at which FastSpring asks for codes while the customer waits. Other kinds don't ask. */
export const licenseAddressOf = ({ kind, address }: Pick<Shop, 'kind' | 'address'>): string | null =>
  kind === 'fastspring' ? `${address}/license` : null;

/** Sales and refunds in the shop's own list that it did not report; null: nobody has compared them. */
function missedOf({ missed }: Shop): string | null {
  if (!missed) return null;
  const { orders, refunds, last_at } = missed;
  const parts = [
    ...(orders > 0 ? [`${orders} ${orders === 1 ? 'sale' : 'sales'}`] : []),
    ...(refunds > 0 ? [`refunds of ${refunds} ${refunds === 1 ? 'order' : 'orders'}`] : []),
  ];
  return parts.length === 0 ? 'nothing' : `${parts.join(' and ')}, last ${last_at}`;
}

export const cardOf = (shop: Shop): string =>
  list([
    ['Name', shop.name],
    ['Kind', shop.kind],
    ['Mode', shop.mode],
    ['State', stateOf(shop)],
    ['Address', shop.address],
    ['For its license call', licenseAddressOf(shop)],
    ['For its success page', shop.order_page],
    ['Secret', shop.has_secret ? 'set' : 'missing: whatever comes is refused'],
    ['API', shop.has_credentials ? 'open' : 'not opened'],
    ['Codes come from', shop.delivery === 'us' ? 'our email' : 'the shop'],
    ['Partly refunded', shop.on_refund],
    ['Disputed', shop.on_dispute],
    ['Sold by another, too', shop.on_duplicate],
    ['Last event', shop.last_event_at],
    ['Last refused', shop.refused_at && `${shop.refused_at}: ${shop.refused_why}`],
    ['Last compared', shop.last_reconciled_at],
    ['Not reported, 30 days', missedOf(shop)],
    ['Waiting', shop.waiting],
    ['Unmapped', shop.unmapped],
  ]);
