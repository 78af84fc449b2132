import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { countWords } from '#lib/notification-count.ts';
import { linkOf } from '#lib/notification-links.ts';
import { recentNoticesQuery } from '#lib/queries/notifications.ts';
import { useAccount } from '#lib/session/session.ts';
import type { Account, KeptNotice } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/forms/select.tsx';
import { GrowingPanel } from '#ui/lists/growing-panel.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Pending } from '#ui/pending/pending.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { usePending } from '#widgets/pending/use-pending.ts';
import { useReadNotifications } from '#widgets/pending/use-read-notifications.ts';
import { useLog } from './use-log.ts';

interface NotificationsProps {
  reseller: boolean;
  kind: KeptNotice['kind'] | undefined;
  onKind: (kind: KeptNotice['kind'] | undefined) => void;
}

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
const developerKinds = Object.keys(kinds) as KeptNotice['kind'][];
const resellerKinds: KeptNotice['kind'][] = ['webhook', 'payout', 'shop'];

/** What the bell has shown, also before this visit. */
export function Notifications({ reseller, kind, onKind }: NotificationsProps) {
  useTitle('Notifications');
  const account = useAccount();
  const { data: count } = useQuery({ ...recentNoticesQuery, refetchOnMount: 'always' });
  const log = useLog('listNotifications', { query: { limit: 30, ...(kind ? { kind } : {}) } });
  const { rows } = log;
  const unread = count?.unread ?? 0;
  const newest = rows?.[0]?.id;
  const read = useReadNotifications();
  return (
    <>
      <PageHeader
        title="Notifications"
        actions={
          <Button
            disabled={unread === 0 || !newest}
            busy={read.isPending}
            onClick={() => (newest ? read.mutate(newest) : undefined)}
          >
            {kind ? 'Mark these and older ones as read' : 'Mark all as read'}
          </Button>
        }
      >
        {reseller
          ? 'Webhooks and statements of the last half year.'
          : 'Stock, imports, quota, payments, webhooks and statements of the last half year. Redemptions are among the serials.'}
      </PageHeader>
      {account && count && count.pending > 0 ? <PendingPanel user={account} /> : null}
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Select
          aria-label="Kind"
          value={kind ?? ''}
          onChange={(event) => onKind(developerKinds.find((each) => each === event.target.value))}
          className="w-full sm:w-48"
        >
          <option value="">All kinds</option>
          {(reseller ? resellerKinds : developerKinds).map((each) => (
            <option key={each} value={each}>
              {kinds[each]}
            </option>
          ))}
        </Select>
        <span className="figures text-sm text-muted" aria-live="polite">
          {count ? countWords(count) || 'Nothing pending or unread' : null}
        </span>
      </div>
      <GrowingPanel
        list={log.list}
        rows={log.rows}
        failed="Notifications couldn't be loaded"
        one="notification"
        nothing={{
          title: 'No notifications yet',
          text: reseller
            ? 'Statements that change and webhooks that fail are listed here.'
            : 'Low stock, finished imports, payments and what else needs you are listed here.',
        }}
        filtered={
          kind && {
            title: 'No notifications of this kind',
            text: 'None in the last six months.',
            clear: 'Show all kinds',
            onClear: () => onKind(undefined),
          }
        }
      >
        {(shown) =>
          shown ? (
            <ul aria-label="Notifications" className="divide-y divide-line">
              {shown.map((row) => (
                <Row key={row.id} row={row} reseller={reseller} />
              ))}
            </ul>
          ) : (
            <Skeleton />
          )
        }
      </GrowingPanel>
      <p className="sr-only" role="status">
        {rows ? plural(rows.length, 'notification') : ''}
      </p>
    </>
  );
}

/** What the count has beside the unread notices: done here, or where it leads. */
function PendingPanel({ user: account }: { user: Account }) {
  const pending = usePending(account);
  return (
    <Panel className="mb-6 overflow-hidden px-1">
      <Pending pending={pending} />
    </Panel>
  );
}

function Row({ row, reseller }: { row: KeptNotice; reseller: boolean }) {
  return (
    <li className="flex items-start justify-between gap-4 px-5 py-3.5">
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
    </li>
  );
}

function Skeleton() {
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">Loading notifications</span>
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex h-[73px] flex-col justify-center gap-2 px-5">
          <span className="skeleton h-4 w-64 max-w-full" />
          <span className="skeleton h-3.5 w-40" />
        </div>
      ))}
    </div>
  );
}
