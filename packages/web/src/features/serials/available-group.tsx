import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { formatCount, formatDay, formatMoney, plural } from '../../lib/format.ts';
import type { Serial } from '../../lib/types.ts';
import { cn } from '../../ui/cn.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ProductImage } from '../../ui/product-image.tsx';
import { SerialCode } from '../../ui/serial-code.tsx';

interface AvailableGroupProps {
  name: string;
  count: number;
  serials: Serial[];
  /** Whether the group starts open: a search wants to show what it found. */
  open: boolean;
}

export function AvailableGroup({ name, count, serials, open }: AvailableGroupProps) {
  const [shown, setShown] = useState(open);
  const id = useId();
  useEffect(() => setShown(open), [open]);
  return (
    <div>
      <h3>
        <button
          type="button"
          aria-expanded={shown}
          aria-controls={id}
          onClick={() => setShown(!shown)}
          className="flex min-h-[68px] w-full items-center gap-4 px-5 py-3 text-left transition-colors hover:bg-canvas focus-visible:-outline-offset-2"
        >
          <ProductImage src={serials[0]?.image_url} name={name} className="size-9 shrink-0 rounded-sm" />
          <span className="min-w-0 flex-1 font-medium break-words">{name}</span>
          <span className="figures text-sm whitespace-nowrap text-muted">{plural(count, 'serial')}</span>
          <ChevronRight
            className={cn('size-4 shrink-0 text-muted transition-transform', shown && 'rotate-90')}
            aria-hidden
          />
        </button>
      </h3>
      <div id={id} hidden={!shown} className="border-t border-line bg-canvas">
        <ul className="grid lg:grid-cols-2">
          {serials.map((serial) => (
            <li
              key={serial.id}
              className="flex min-h-[52px] items-center justify-between gap-3 border-b border-line px-5 py-2 lg:odd:border-r"
            >
              <div className="min-w-0">
                <SerialCode code={serial.code} />
                <Terms serial={serial} />
              </div>
              <CopyButton compact text={serial.code} what={serial.code} />
            </li>
          ))}
        </ul>
        {count > serials.length ? (
          <p className="figures px-5 py-3 text-sm text-muted">
            The newest {serials.length} of {formatCount(count)} are shown. Search to find the others.
          </p>
        ) : null}
      </div>
    </div>
  );
}

function Terms({ serial }: { serial: Serial }) {
  const parts = [
    serial.promo_price === null ? null : `Promo ${formatMoney(serial.promo_price)}`,
    serial.promo_expires ? `deal ends ${formatDay(serial.promo_expires)}` : null,
    serial.expires_at ? `expires ${formatDay(serial.expires_at)}` : null,
    serial.batch_tag,
  ].filter(Boolean);
  return parts.length ? <p className="figures text-xs text-muted">{parts.join(' · ')}</p> : null;
}
