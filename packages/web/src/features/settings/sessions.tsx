import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { q } from '#lib/queries/operation.ts';
import { useLogout } from '#lib/session/use-logout.ts';
import type { Session } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';

export function Sessions() {
  const list = useQuery(q('listSessions'));
  if (list.isError) {
    return (
      <Panel>
        <Failed
          title="Sessions couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
          className="py-10"
        />
      </Panel>
    );
  }
  return (
    <Panel className="max-h-[420px] overflow-y-auto">
      <ul className="divide-y divide-line" aria-busy={!list.data}>
        {list.data
          ? list.data.map((session) => <SessionRow key={session.id} session={session} />)
          : [0, 1].map((row) => (
              <li key={row} className="flex items-center gap-4 px-5 py-4">
                <span className="skeleton size-5" />
                <span className="skeleton h-10 w-56" />
              </li>
            ))}
      </ul>
    </Panel>
  );
}

function SessionRow({ session }: { session: Session }) {
  const queryClient = useQueryClient();
  const logout = useLogout();
  const [asking, setAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => api.revokeSession({ body: { id: session.id } }),
    onSuccess: () =>
      queryClient.setQueryData(q('listSessions').queryKey, (rows) => rows?.filter((row) => row.id !== session.id)),
    onError: (error) => notify.error('Failed to revoke session.', error),
  });
  const program = session.device || session.user_agent || 'Unknown device';
  const device = session.machine ?? program;
  const mobile = /iphone|android|mobile/i.test(`${session.user_agent}`);
  const Icon = session.machine ? SquareTerminal : mobile ? Smartphone : Monitor;
  return (
    <li className="flex items-center gap-4 px-5 py-3.5">
      <Icon className="size-5 shrink-0 text-muted" strokeWidth={1.7} aria-hidden />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium" title={session.user_agent ?? undefined}>
            {device}
          </span>
          {session.isCurrent ? (
            <Badge tone="accent" means="The one you are using now. Revoking it logs you out.">
              Current
            </Badge>
          ) : null}
        </div>
        <p className="figures flex flex-wrap gap-x-3 text-sm text-muted">
          {session.machine ? <span>{program}</span> : null}
          <span>{session.ip}</span>
          <span>
            Last seen <TimeAgo iso={session.last_seen_at} />
          </span>
        </p>
      </div>
      <Button
        size="sm"
        disabled={revoke.isPending}
        onClick={() => (session.isCurrent ? setAsking(true) : revoke.mutate())}
      >
        {revoke.isPending ? 'Revoking...' : 'Revoke'}
        <span className="sr-only"> {device}</span>
      </Button>
      {session.isCurrent ? (
        <Confirm
          open={asking}
          onOpenChange={setAsking}
          title="Revoke this session?"
          action="Revoke and sign out"
          onConfirm={logout}
        >
          It is the one you are using now, so you will be signed out of this browser.
        </Confirm>
      ) : null}
    </li>
  );
}
