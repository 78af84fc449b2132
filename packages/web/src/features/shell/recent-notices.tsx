import { Link } from '@tanstack/react-router';
import { CreditCard, Download, Gauge, PackageX, TicketCheck, Webhook } from 'lucide-react';
import { TimeAgo } from '../../ui/time-ago.tsx';
import type { Notice } from './notices.ts';

/** What happened during this visit. */
export function Recent({ notices, onFollow }: { notices: Notice[]; onFollow: () => void }) {
  return (
    <>
      <h2 className="border-t border-line px-4 pt-3.5 pb-1 text-sm font-semibold">Recent</h2>
      {notices.length === 0 ? (
        <p className="px-4 pt-1 pb-5 text-sm text-muted">
          Redemptions, finished imports, payments and low stock show up here while you are signed in.
        </p>
      ) : (
        <ul className="px-1.5 pb-1.5" aria-label="Recent">
          {notices.map((notice) => (
            <li key={notice.id}>
              <NoticeLine notice={notice} onFollow={onFollow} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const icons = {
  low_serials: PackageX,
  import: Download,
  redemption: TicketCheck,
  usage: Gauge,
  billing: CreditCard,
  webhook: Webhook,
};

function NoticeLine({ notice, onFollow }: { notice: Notice; onFollow: () => void }) {
  const Icon = icons[notice.kind];
  return (
    <div className="flex items-start gap-3 rounded-md px-2.5 py-2 hover:bg-hover">
      <Icon className="mt-[3px] size-4 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 flex-1">
        <Link
          {...notice.link}
          onClick={onFollow}
          className="line-clamp-2 rounded-sm font-medium focus-visible:-outline-offset-2"
        >
          {notice.title}
        </Link>
        <p className="flex justify-between gap-3 text-sm text-muted">
          <span className="truncate">{notice.detail}</span>
          <TimeAgo iso={notice.at} className="shrink-0" />
        </p>
      </div>
    </div>
  );
}
