import { formatRelative } from '#lib/format/format.ts';
import type { RedeemedSerial } from '#lib/types.ts';
import { Badge, type BadgeTone } from '../badge.tsx';

type Standing = RedeemedSerial['standing'];

interface Look {
  words: string;
  tone: BadgeTone;
  means: string;
}

const looks: Record<Standing['code'], Look> = {
  in_order: { words: 'Active', tone: 'good', means: 'It works without restrictions.' },
  download_limit: {
    words: 'Limit reached',
    tone: 'warn',
    means: 'All 5 downloads are used. What is installed keeps working.',
  },
  seats_taken: { words: 'Seats full', tone: 'warn', means: 'A new machine is refused. Known ones keep working.' },
  refused: { words: 'Refused', tone: 'warn', means: 'A plugin was refused in the last 7 days.' },
  revoked: { words: 'Revoked', tone: 'bad', means: 'Redemption, downloads and licensing are refused.' },
  product_deleted: { words: 'Product deleted', tone: 'bad', means: 'Downloads and licensing have ended.' },
  expired: { words: 'Expired', tone: 'bad', means: 'Nobody redeemed it before its last day.' },
  draft: { words: 'Draft product', tone: 'plain', means: 'It can be redeemed once the product is submitted.' },
  not_yet_valid: { words: 'Not yet valid', tone: 'plain', means: 'It can be redeemed once its promo starts.' },
  handed_out: { words: 'Handed out', tone: 'accent', means: 'A customer has the code and has not redeemed it yet.' },
  available: { words: 'Available', tone: 'accent', means: 'Whoever has the code can redeem it.' },
  no_serials: { words: 'No serials', tone: 'plain', means: 'Imported, without a serial so far.' },
};
/** A code that this version doesn't know is shown by the server's words. */
const known: Partial<Record<string, Look>> = looks;

/** Their message is more exact than the state's general meaning. */
const detailedCodes = new Set<string>(['refused', 'not_yet_valid'] satisfies Standing['code'][]);

export const toneOf = (code: string): BadgeTone => known[code]?.tone ?? 'plain';

/** The true state of a serial; what it means and since when on hover and focus. */
export function SerialBadge({ standing, className }: { standing: Standing; className?: string }) {
  const look = known[standing.code] ?? { words: standing.message, tone: 'plain', means: standing.message };
  const why = detailedCodes.has(standing.code) ? `${standing.message}.` : look.means;
  return (
    <Badge
      tone={look.tone}
      className={className}
      means={
        <>
          {why}
          {standing.since ? (
            <span className="figures mt-0.5 block text-muted">Since {formatRelative(standing.since)}</span>
          ) : null}
        </>
      }
    >
      {look.words}
    </Badge>
  );
}
