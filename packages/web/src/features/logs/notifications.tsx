import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import type { SearchOf } from '#lib/navigation/search-params.ts';
import { useSearchHere } from '#lib/navigation/use-search-here.ts';
import { countWords } from '#lib/notification-count.ts';
import { linkOf } from '#lib/notification-links.ts';
import { recentNoticesQuery } from '#lib/queries/notifications.ts';
import { useAccount } from '#lib/session/session.ts';
import type { Account, KeptNotice } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { OpenFilters } from '#ui/lists/narrowed.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Pending } from '#ui/pending/pending.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { usePending } from '#widgets/pending/use-pending.ts';
import { useReadNotifications } from '#widgets/pending/use-read-notifications.ts';
import { notificationSearch } from './searches.ts';

const kinds: Record<KeptNotice['kind'], string> = {
  low_serials: 'Low stock',
  import: 'Imports',
  usage: 'Quota',
  billing: 'Payments',
  card: 'Card',
  webhook: 'Webhooks',
  payout: 'Statements',
  shop: 'Shops',
};
const { webhook, payout, shop } = kinds;
const useReseller = () => useAccount()?.is_reseller ?? false;

const notificationLog = defineLog({
  title: 'Notifications',
  one: 'notification',
  operation: 'listNotifications',
  pageSize: 30,
  filters: notificationSearch,
  choices: [{ by: 'kind', label: 'Kind', all: 'All kinds', className: 'w-full sm:w-48' }],
  Card: Notice,
  empty: {
    title: 'No notifications yet',
    none: <NoneYet />,
    filteredTitle: 'No notifications of this kind',
    filtered: () => 'None in the last six months.',
    clear: 'Show all kinds',
  },
  skeletonRows: 6,
});

/** The notifications that the bell has shown, also before this visit. */
export function Notifications() {
  useTitle('Notifications');
  const account = useAccount();
  const reseller = useReseller();
  const { data: count } = useQuery({ ...recentNoticesQuery, refetchOnMount: 'always' });
  const log = useLog(notificationLog, useSearchHere<SearchOf<typeof notificationSearch>>());
  const newest = log.rows?.[0]?.id;
  const read = useReadNotifications();
  return (
    <>
      <PageHeader
        title="Notifications"
        actions={
          <Button
            disabled={!count?.unread || !newest}
            busy={read.isPending}
            onClick={() => (newest ? read.mutate(newest) : undefined)}
          >
            {log.filter.kind ? 'Mark these and older ones as read' : 'Mark all as read'}
          </Button>
        }
      >
        {reseller
          ? 'Webhooks and statements of the last half year.'
          : 'Stock, imports, quota, payments, webhooks and statements of the last half year. Redemptions are among the serials.'}
      </PageHeader>
      {account && count && count.pending > 0 ? <PendingPanel user={account} /> : null}
      <OpenFilters at={log} words={{ kind: reseller ? { webhook, payout, shop } : kinds }}>
        <span className="figures text-sm text-muted" aria-live="polite">
          {count ? countWords(count) || 'Nothing pending or unread' : null}
        </span>
      </OpenFilters>
      <Log log={log} />
      <p className="sr-only" role="status">
        {log.rows ? plural(log.rows.length, 'notification') : ''}
      </p>
    </>
  );
}

/** The pending part of the count, beside the unread notices. Each entry is done here, or links to where it is done. */
function PendingPanel({ user: account }: { user: Account }) {
  const pending = usePending(account);
  return (
    <Panel className="mb-6 overflow-hidden px-1">
      <Pending pending={pending} />
    </Panel>
  );
}

function NoneYet() {
  return useReseller()
    ? 'Statements that change and webhooks that fail are listed here.'
    : 'Low stock, finished imports, payments and what else needs you are listed here.';
}

function Notice({ row }: { row: KeptNotice }) {
  const reseller = useReseller();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <span className="flex flex-wrap items-center gap-2">
          <Link
            {...linkOf(row, reseller)}
            className="min-w-0 rounded-[3px] font-medium wrap-anywhere decoration-line-strong underline-offset-4 hover:underline"
          >
            {row.title}
          </Link>
          {row.read ? null : (
            <Badge tone="accent" means="You have not marked it as read yet.">
              Unread
            </Badge>
          )}
        </span>
        <p className="text-sm wrap-anywhere text-muted">
          {kinds[row.kind]} · {row.detail}
        </p>
      </div>
      <TimeAgo iso={row.at} className="shrink-0 text-sm text-muted" />
    </div>
  );
}
