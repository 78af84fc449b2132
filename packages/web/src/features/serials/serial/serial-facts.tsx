import { countryName } from '#lib/format/country.ts';
import { formatDay, formatMoney } from '#lib/format/format.ts';
import type { SerialDetail } from '#lib/types.ts';
import { TextLink } from '#ui/button.tsx';
import { Facts } from '#ui/details/facts.tsx';
import { Day, TimeAgo } from '#ui/time-ago.tsx';
import { DownloadsUsed } from '../downloads-used.tsx';

export function SerialFacts({ serial }: { serial: SerialDetail }) {
  const { customer } = serial;
  const name = [customer?.first_name, customer?.last_name].filter(Boolean).join(' ');
  return (
    <section>
      <h2 className="mb-1 font-semibold">About this serial</h2>
      <Facts
        facts={[
          [
            'Product',
            <TextLink key="product" to="/dashboard/products/$productId" params={{ productId: serial.product_id }}>
              {serial.product_name}
            </TextLink>,
          ],
          [
            'Customer',
            customer ? (
              <span key="customer" className="flex flex-col items-end">
                <TextLink to="/dashboard/customers/$customerId" params={{ customerId: customer.id }}>
                  {name || customer.email}
                </TextLink>
                {name ? <span className="text-muted">{customer.email}</span> : null}
              </span>
            ) : (
              <span key="customer" className="text-muted">
                Not redeemed yet
              </span>
            ),
          ],
          ['Redeemed', serial.redeemed_at ? <TimeAgo key="redeemed" iso={serial.redeemed_at} /> : null],
          ['Price', serial.final_price === null ? null : formatMoney(serial.final_price)],
          ['Refunded', serial.refunded > 0 ? formatMoney(serial.refunded) : null],
          ['Country', serial.country && countryName(serial.country)],
          ['Downloads used', serial.redeemed_at ? <DownloadsUsed key="downloads" serial={serial} /> : null],
          [
            'Batch',
            <TextLink key="batch" to="/dashboard/batches/$batchId" params={{ batchId: serial.batch_id }}>
              {serial.batch_tag ?? `Made ${formatDay(serial.created_at)}`}
            </TextLink>,
          ],
          [
            'Order',
            serial.order ? (
              <TextLink key="order" to="/dashboard/orders/$id" params={{ id: serial.order.id }}>
                {serial.order.number}
              </TextLink>
            ) : null,
          ],
          ['Reseller', serial.reseller_name],
          ['Promo price', serial.promo_price === null ? null : formatMoney(serial.promo_price)],
          ['Promo starts', serial.promo_start ? <Day key="start" edge="start" iso={serial.promo_start} /> : null],
          ['Promo expires', serial.promo_expires ? <Day key="promo" edge="end" iso={serial.promo_expires} /> : null],
          ['Expires', serial.expires_at ? <Day key="expires" edge="end" iso={serial.expires_at} /> : 'Never'],
          ['Notes', serial.notes],
        ]}
      />
    </section>
  );
}
