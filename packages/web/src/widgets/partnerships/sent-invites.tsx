import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { sentInvitesQuery } from '#lib/queries/invites.ts';
import type { SentInvite } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { MoreLine } from '#ui/lists/more-line.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';

const states = {
  pending: { tone: 'warn', words: 'Pending', means: 'Sent, and not answered yet.' },
  accepted: { tone: 'good', words: 'Accepted', means: 'You are connected.' },
  rejected: { tone: 'bad', words: 'Rejected', means: 'It was declined. You can invite again.' },
  withdrawn: { tone: 'plain', words: 'Withdrawn', means: 'You withdrew it. Its link no longer works.' },
  expired: { tone: 'plain', words: 'Expired', means: 'Nobody answered in time. You can invite again.' },
} as const;

/** The invitations that the account has sent, the newest first. Shows nothing before the first one. */
export function SentInvites() {
  const sent = useInfiniteQuery(sentInvitesQuery);
  const rows = sent.data?.pages.flatMap((page) => page.rows) ?? [];
  if (sent.isError && !sent.data) {
    return (
      <Panel className="mt-8">
        <Failed
          title="The invitations couldn't be loaded"
          error={sent.error}
          retry={sent.refetch}
          retrying={sent.isFetching}
        />
      </Panel>
    );
  }
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="sent-invites" className="mt-10">
      <h2 id="sent-invites" className="mb-4 font-semibold">
        Sent invitations
      </h2>
      <Panel>
        <ul className="divide-y divide-line">
          {rows.map((invite) => (
            <SentInviteRow key={invite.id} invite={invite} />
          ))}
        </ul>
        <MoreLine list={sent} shown={rows.length} one="invitation" />
      </Panel>
    </section>
  );
}

function SentInviteRow({ invite }: { invite: SentInvite }) {
  const queryClient = useQueryClient();
  const onSettled = () => refreshAfter(queryClient, 'invitesChanged');
  const resend = useMutation({
    mutationFn: () => api.resendInvite({ path: { id: invite.id } }),
    onSuccess: () => notify.success('Invite sent!'),
    onError: (error) => notify.error('Failed to send invite.', error),
    onSettled,
  });
  const withdraw = useMutation({
    mutationFn: () => api.withdrawInvite({ path: { id: invite.id } }),
    onSuccess: () => notify.success('Invitation withdrawn.'),
    onError: (error) => notify.error('The invitation was not withdrawn.', error),
    onSettled,
  });
  const { tone, words, means } = states[invite.state];
  const { resend_after } = invite;
  const early = invite.state === 'pending' && resend_after !== null && Date.parse(resend_after) > Date.now();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium">{invite.email}</p>
        <p className="text-sm text-muted">
          {invite.commission_rate}% commission
          {invite.reseller_name ? ` · ${invite.reseller_name}` : ''} · Sent <TimeAgo iso={invite.sent_at} />
          {early ? (
            <>
              {' '}
              · Can be sent again <TimeAgo iso={resend_after} />
            </>
          ) : null}
        </p>
      </div>
      <Badge tone={tone} means={means}>
        {words}
      </Badge>
      {invite.state === 'pending' ? (
        <div className="flex gap-2">
          <Button
            size="sm"
            busy={resend.isPending}
            disabled={early}
            title={early ? 'An invitation can be sent again once a day.' : undefined}
            onClick={() => resend.mutate()}
          >
            Resend<span className="sr-only"> to {invite.email}</span>
          </Button>
          <Button size="sm" variant="ghost" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Withdraw<span className="sr-only"> the invitation to {invite.email}</span>
          </Button>
        </div>
      ) : null}
    </li>
  );
}
