import { formatMoney } from '#lib/format/format.ts';
import { useOlder } from '#lib/lists/use-older.ts';
import { reasonOf } from '#lib/refusal-reasons.ts';
import type { SerialDetail } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

type Event = SerialDetail['history'][number];

const words: Record<Event['kind'], (detail: string | null, amount: string) => string> = {
  made: (detail) => (detail === 'import' ? 'Imported' : 'Generated'),
  given: (detail) => (detail ? `Given to ${detail}` : 'Given to a reseller'),
  handed_out: (reference) => `Handed out under ${reference}`,
  returned: (reference) => `Returned by the reseller, from ${reference}`,
  redeemed: (detail) =>
    detail === 'import' ? 'Redeemed elsewhere' : detail === 'activation' ? 'Redeemed in the plugin' : 'Redeemed',
  activated: () => 'Activated on a machine',
  released: () => 'Machine released',
  revoked: () => 'Revoked',
  reassigned: () => 'Reassigned',
  refreshed: () => 'Downloads reset to 0',
  downloaded: () => 'Downloaded',
  emailed: () => 'Email sent again',
  transferred: (from) => (from ? `Moved here from ${from}` : 'Moved to another customer'),
  refunded: (_, amount) => `Refunded ${amount}`,
  charged_back: (_, amount) => `${amount} charged back`,
  reinstated: (_, amount) => `Refund of ${amount} taken back`,
  corrected: (_, amount) => `Corrected by ${amount}`,
  refused: (status) => `A plugin was refused: ${(status ?? '').replaceAll('_', ' ')}`,
  redemption_refused: (status) => `Redemption refused: ${(status ?? '').replaceAll('_', ' ')}`,
};

const tones: Partial<Record<Event['kind'], string>> = {
  redeemed: 'bg-accent',
  revoked: 'bg-bad',
  reassigned: 'bg-good',
  refused: 'bg-warn',
  redemption_refused: 'bg-warn',
  refunded: 'bg-bad',
  charged_back: 'bg-bad',
  reinstated: 'bg-good',
};
const named = new Set<Event['kind']>(['activated', 'released', 'downloaded']);

/** Why, and what helps. */
function whyOf({ kind, detail }: Event, serialId: string): string | null {
  if (detail === null || (kind !== 'refused' && kind !== 'redemption_refused')) return null;
  const { means, todo } = reasonOf({ status: detail, serial_id: serialId });
  return `${means} ${todo}`;
}

/** Refunds and their reversals are positive; their words differ. */
const amountOf = ({ kind, amount }: Event) =>
  amount === null ? '' : formatMoney(kind === 'corrected' ? amount : Math.abs(amount));

/** Newest first, on one line. */
export function SerialHistory({ serial }: { serial: SerialDetail }) {
  const { id, history, history_cursor: from } = serial;
  const older = useOlder('listSerialHistory', { path: { id } }, from);
  const events = [...history, ...older.rows];
  if (events.length === 0) return <p className="text-sm text-muted">Nothing has happened yet.</p>;
  return (
    <>
      <ol className="mb-5">
        {events.map((event, index) => (
          <li key={index} className="relative flex gap-4 pb-5 last:pb-0">
            {index < events.length - 1 ? (
              <span className="absolute top-4 bottom-[-6px] left-[4.5px] w-px bg-line-strong" aria-hidden />
            ) : null}
            <span
              className={cn(
                'relative mt-1.5 size-2.5 shrink-0 rounded-[3px]',
                tones[event.kind] ?? 'border border-control-line bg-surface',
              )}
              aria-hidden
            />
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="min-w-0">{words[event.kind](event.detail, amountOf(event))}</span>
                <TimeAgo iso={event.at} className="text-sm text-muted" />
              </div>
              {whyOf(event, id) ? <p className="text-sm text-muted">{whyOf(event, id)}</p> : null}
              {event.amount !== null && event.detail ? (
                <p className="text-sm wrap-anywhere text-muted">{event.detail}</p>
              ) : null}
              {named.has(event.kind) && event.detail ? (
                <p className="truncate font-mono text-xs text-muted" title={event.detail}>
                  {event.detail}
                </p>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      <ShowMore list={older.list} />
    </>
  );
}
