import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  CreditCard,
  Download,
  FileCheck,
  Gauge,
  type LucideIcon,
  PackageX,
  Store,
  TicketCheck,
  Webhook,
} from 'lucide-react';
import { linkOf } from '#lib/notification-links.ts';
import { recentNoticesQuery } from '#lib/queries/notifications.ts';
import type { KeptNotice } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useReadNotifications } from '#widgets/pending/use-read-notifications.ts';
import { type Notice, useNotifications } from './notifications.ts';

interface RecentProps {
  reseller: boolean;
  onFollow: () => void;
}

const SHOWN = 10;

interface Line {
  id: string;
  kind: Notice['kind'] | KeptNotice['kind'];
  title: string;
  detail: string;
  at: string;
  link: LinkProps;
  /** It was not marked as read yet. */
  unread?: boolean;
}

/** Recent notifications, also from before this visit. */
export function Recent({ reseller, onFollow }: RecentProps) {
  const notices = useNotifications();
  const kept = useQuery(recentNoticesQuery);
  const read = useReadNotifications();
  const newest = kept.data?.rows[0]?.id;
  const lines = linesOf(notices, kept.data?.rows, reseller);
  return (
    <section aria-busy={kept.isPending}>
      <div className="flex min-h-10 items-end justify-between gap-3 border-t border-line px-4 pt-2 pb-1">
        <h2 className="pb-0.5 text-sm font-semibold">Recent</h2>
        {kept.data && kept.data.unread > 0 && newest ? (
          <Button size="sm" busy={read.isPending} onClick={() => read.mutate(newest)}>
            Mark all as read
          </Button>
        ) : null}
      </div>
      {lines.length > 0 ? (
        <ul className="px-1.5 pb-1.5" aria-label="Recent">
          {lines.map((line) => (
            <li key={line.id}>
              <NoticeLine line={line} onFollow={onFollow} />
            </li>
          ))}
        </ul>
      ) : kept.isPending ? (
        <Waiting />
      ) : kept.data ? (
        <p className="px-4 pt-1 pb-5 text-sm text-muted">
          {reseller
            ? 'Statements that change and webhooks that fail show up here.'
            : 'Redemptions, finished imports, payments and low stock show up here.'}
        </p>
      ) : null}
      {kept.isError ? (
        <p role="alert" className="flex items-center justify-between gap-3 px-4 pt-1 pb-4 text-sm text-bad">
          They couldn’t be loaded.
          <Button size="sm" onClick={() => kept.refetch()} busy={kept.isFetching}>
            Try again
          </Button>
        </p>
      ) : null}
    </section>
  );
}

/** The newest first: what the server keeps, and the redemptions of this visit, which it does not. */
function linesOf(notices: Notice[], kept: KeptNotice[] | undefined, reseller: boolean): Line[] {
  if (!kept) return notices.slice(0, SHOWN);
  const before = kept.map((row) => ({ ...row, link: linkOf(row, reseller), unread: !row.read }));
  const redemptions = notices.filter(({ kind }) => kind === 'redemption');
  return [...redemptions, ...before].sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, SHOWN);
}

const icons: Record<Line['kind'], LucideIcon> = {
  low_serials: PackageX,
  import: Download,
  redemption: TicketCheck,
  usage: Gauge,
  billing: CreditCard,
  card: CreditCard,
  webhook: Webhook,
  payout: FileCheck,
  shop: Store,
};

function NoticeLine({ line, onFollow }: { line: Line; onFollow: () => void }) {
  const Icon = icons[line.kind];
  return (
    <div className="flex items-start gap-3 rounded-md px-2.5 py-2 hover:bg-hover">
      <Icon className="mt-[3px] size-4 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 flex-1">
        <span className="flex items-start justify-between gap-3">
          <Link
            {...line.link}
            onClick={onFollow}
            className="line-clamp-2 rounded-sm font-medium focus-visible:-outline-offset-2"
          >
            {line.title}
          </Link>
          {line.unread ? (
            <span className="mt-[7px] size-2 shrink-0 rounded-full bg-accent">
              <span className="sr-only">Unread</span>
            </span>
          ) : null}
        </span>
        <p className="text-sm wrap-anywhere text-muted">
          <TimeAgo iso={line.at} className="float-right ml-3" />
          {line.detail}
        </p>
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <div role="status" className="flex flex-col gap-4 px-4 pt-2 pb-5">
      <span className="sr-only">Loading what happened</span>
      {Array.from({ length: 3 }, (_, index) => (
        <div key={index} className="flex flex-col gap-1.5">
          <span className="skeleton h-4 w-56 max-w-full" />
          <span className="skeleton h-3.5 w-32" />
        </div>
      ))}
    </div>
  );
}
