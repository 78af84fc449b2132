import { formatChosen, formatMoney } from '../../../lib/format.ts';
import type { Serial } from '../../../lib/types.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { CodeLink } from '../code-link.tsx';

export function AvailableSerial({ serial }: { serial: Serial }) {
  const terms = [
    serial.promo_price === null ? null : `Promo ${formatMoney(serial.promo_price)}`,
    serial.promo_expires ? `deal ends ${formatChosen(serial.promo_expires, 'end')}` : null,
    serial.expires_at ? `expires ${formatChosen(serial.expires_at, 'end')}` : null,
    serial.batch_tag,
  ].filter(Boolean);
  return (
    <>
      <div className="min-w-0">
        <CodeLink id={serial.id} code={serial.code} />
        {terms.length ? <p className="figures truncate text-xs text-muted">{terms.join(' · ')}</p> : null}
      </div>
      <CopyButton compact text={serial.code} what={serial.code} />
    </>
  );
}
