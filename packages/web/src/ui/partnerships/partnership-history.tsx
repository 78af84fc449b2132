import { formatCount } from '#lib/format/format.ts';
import type { ResellerProfile } from '#lib/types.ts';
import { Panel } from '../page.tsx';
import { TimeAgo } from '../time-ago.tsx';

type Happening = ResellerProfile['history'][number];

function sentenceOf(each: Happening, who: string): string {
  const { kind, commission_rate: rate, commission_rate_before: before, reseller_name: merged } = each;
  const at = rate === null ? '' : ` at ${rate}%`;
  const sentences = {
    invited: `${who} sent the invitation.`,
    accepted: `${who} accepted the invitation${at}.`,
    claimed: `${who} accepted the invitation and took over the serials${at}.`,
    rate_changed: `${who} changed the commission from ${before}% to ${rate}%.`,
    paused: `${who} paused the partnership.`,
    resumed: `${who} resumed the partnership.`,
    ended: `${who} ended the partnership.`,
    merged: merged ? `${who} merged ${merged} into this partnership.` : `${who} merged this reseller into another one.`,
  };
  return merged && kind !== 'merged' ? `${merged}: ${sentences[kind]}` : sentences[kind];
}

interface PartnershipHistoryProps {
  history: Happening[];
  /** Entries in all, of which the newest are given. */
  total: number;
  /** The reader's side. */
  side: 'developer' | 'reseller';
  /** The name of the other side. */
  other: string;
}

/** The history of a partnership, newest first. */
export function PartnershipHistory({ history, total, side, other }: PartnershipHistoryProps) {
  if (history.length === 0) return null;
  return (
    <section aria-labelledby="partnership-history" className="mt-8">
      <h2 id="partnership-history" className="mb-1 font-semibold">
        History
      </h2>
      <p className="mb-4 text-sm text-muted">A new commission rate counts for redemptions after the change only.</p>
      <Panel>
        <ul className="divide-y divide-line" aria-label="History">
          {history.map((each) => (
            <li
              key={each.id}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3 text-sm"
            >
              <span className="figures min-w-0 wrap-anywhere">
                {sentenceOf(each, each.by === side ? 'You' : other)}
              </span>
              <TimeAgo iso={each.happened_at} className="text-muted" />
            </li>
          ))}
        </ul>
      </Panel>
      {total > history.length ? (
        <p className="mt-3 text-sm text-muted">
          The newest {formatCount(history.length)} of {formatCount(total)} entries.
        </p>
      ) : null}
    </section>
  );
}
