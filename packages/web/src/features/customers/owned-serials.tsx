import { Link } from '@tanstack/react-router';
import { formatMoney } from '#lib/format/format.ts';
import type { CustomerDetail } from '#lib/types.ts';
import { ProductImage } from '#ui/product-image.tsx';
import { SerialBadge } from '#ui/serials/serial-badge.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { Part } from './part.tsx';

type OwnedSerial = CustomerDetail['serials'][number];

const downloadLimit = 5;

export function OwnedSerials({ serials }: { serials: OwnedSerial[] }) {
  return (
    <Part
      title="Serials"
      what="serials"
      items={serials}
      first={10}
      empty="This customer was imported and has not redeemed a serial yet."
    >
      {(shown) => (
        <ul className="divide-y divide-line border-t border-line">
          {shown.map((serial) => (
            <li key={serial.id} className="flex items-start gap-4 px-5 py-4">
              <ProductImage
                src={serial.image_url}
                name={serial.product_name}
                className="size-9 shrink-0 rounded-sm max-sm:hidden"
              />
              <div className="min-w-0 flex-1">
                <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
                  <Link
                    to="/dashboard/serials/$serialId"
                    params={{ serialId: serial.id }}
                    className="max-w-full overflow-x-auto rounded-sm hover:underline hover:underline-offset-4"
                  >
                    <SerialCode code={serial.code ?? ''} className="text-md" />
                  </Link>
                  <SerialBadge standing={serial.standing} />
                </div>
                <div className="figures mt-1 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
                  <span className="min-w-0 wrap-anywhere">{serial.product_name}</span>
                  <span>{formatMoney(serial.total)}</span>
                </div>
                <div className="figures flex flex-wrap justify-between gap-x-4 text-sm text-muted">
                  <span>
                    {serial.download_count}/{downloadLimit} downloads · {serial.seats_used}/{serial.max_activations}{' '}
                    machines
                  </span>
                  <TimeAgo iso={serial.redeemed_at} />
                </div>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
