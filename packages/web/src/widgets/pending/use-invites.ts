import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { receivedInvitesQuery } from '#lib/queries/invites.ts';
import type { Account, Invite } from '#lib/types.ts';
import type { InviteAnswer } from '#ui/pending/invites.tsx';

/** The pending invitations of the signed-in account, and how to answer them. */
export function useInvites(account: Account) {
  const queryClient = useQueryClient();
  const { data } = useQuery(receivedInvitesQuery(account.is_reseller));
  const { mutateAsync } = useMutation({
    mutationFn: ({ invite, answer }: { invite: Invite; answer: InviteAnswer }) =>
      api.respondToInvite({ body: { invite_id: invite.id, response: answer } }),
    onSettled: () => refreshAfter(queryClient, 'invitesChanged'),
  });
  const onAnswer = async (invite: Invite, answer: InviteAnswer) => {
    const { notify } = await import('#ui/toast.ts');
    try {
      notify.success((await mutateAsync({ invite, answer })).message);
    } catch (error) {
      notify.error('Your answer was not sent.', error);
    }
  };
  return { invites: data?.rows ?? [], total: data?.total ?? 0, onAnswer };
}
