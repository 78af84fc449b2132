import { Link } from '@tanstack/react-router';
import { useOlder } from '#lib/lists/use-older.ts';
import type { CustomerDetail } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';
import { TimeAgo } from '#ui/time-ago.tsx';
import { AddNote } from './add-note.tsx';
import { Part } from './part.tsx';

type Entry = CustomerDetail['activity'][number];

const words: Record<string, string> = {
  redeemed: 'Redeemed',
  activated: 'Activated on',
  released: 'Released',
  downloaded: 'Downloaded',
  revoked: 'Serial revoked',
  reassigned: 'Serial active again',
  refreshed: 'Downloads reset',
  refused: 'A plugin was refused:',
  redemption_refused: 'Redemption refused:',
  emailed: 'Email sent again',
  noted: 'Note:',
  changed: 'Changed:',
};
const dots: Record<string, string> = {
  redeemed: 'bg-accent',
  revoked: 'bg-bad',
  refused: 'bg-warn',
  redemption_refused: 'bg-warn',
};

/** A refusal's detail is its status. */
const detailOf = ({ kind, detail }: Entry) => (kind.endsWith('refused') ? detail?.replaceAll('_', ' ') : detail);

/** A kind that this version doesn't know is shown by its raw name. */
const wordsOf = (kind: string) => words[kind] ?? kind.replaceAll('_', ' ');

export function Activity({ customer }: { customer: CustomerDetail }) {
  const { id, activity, activity_cursor: from, erased_at } = customer;
  const older = useOlder('listCustomerActivity', { path: { id } }, from);
  return (
    <Part
      above={erased_at ? null : <AddNote customerId={id} />}
      older={older.list}
      title="Activity"
      what="entries"
      items={[...activity, ...older.rows]}
      first={12}
      empty="Nothing has happened yet."
    >
      {(shown) => (
        <ol className="px-5 pt-4 pb-5">
          {shown.map((entry, index) => (
            <li
              key={`${entry.kind}${entry.at}${entry.serial_id}${index}`}
              className="relative flex gap-3.5 pb-5 last:pb-0"
            >
              {index < shown.length - 1 ? (
                <span className="absolute top-4 bottom-[-8px] left-[3.5px] w-px bg-line" aria-hidden />
              ) : null}
              <span
                className={cn('mt-[7px] size-2 shrink-0 rounded-full', dots[entry.kind] ?? 'bg-control-line')}
                aria-hidden
              />
              <div className="min-w-0 flex-1">
                <p className="wrap-anywhere">
                  {wordsOf(entry.kind)} {entry.detail ? <span className="font-medium">{detailOf(entry)}</span> : null}
                </p>
                <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted">
                  {entry.serial_id ? (
                    <Link
                      to="/dashboard/serials/$serialId"
                      params={{ serialId: entry.serial_id }}
                      className="min-w-0 truncate rounded-sm font-mono text-xs leading-5 hover:text-text hover:underline"
                    >
                      {entry.serial_code}
                    </Link>
                  ) : (
                    <span />
                  )}
                  <TimeAgo iso={entry.at} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}
