import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plural } from '#lib/format/format.ts';
import { q } from '#lib/queries/operation.ts';
import { TimeAgo } from '#ui/time-ago.tsx';
import { Part } from './part.tsx';

const MOST = 100;

/** A customer's orders in connected shops, found by their address. The box is missing for customers without orders. */
export function CustomerOrders({ email }: { email: string }) {
  const found = useQuery(q('listShopOrders', { query: { search: email, limit: MOST, count: false } }));
  const orders = found.data?.rows ?? [];
  if (orders.length === 0) return null;
  return (
    <Part title="Orders" what="orders" items={orders} first={5} empty="">
      {(shown) => (
        <ul className="divide-y divide-line border-t border-line">
          {shown.map((order) => (
            <li key={order.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3">
              <Link
                to="/dashboard/orders/$id"
                params={{ id: order.id }}
                className="min-w-0 rounded-sm font-medium wrap-anywhere hover:underline hover:underline-offset-4"
              >
                {order.number}
              </Link>
              <span className="figures text-sm text-muted">
                {order.shop_name} · {plural(order.serials, 'serial')}
              </span>
              <TimeAgo iso={order.received_at} className="text-sm text-muted" />
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
