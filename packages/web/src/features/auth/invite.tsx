import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../lib/api.ts';
import { useTitle } from '../../lib/hooks.ts';
import { refreshAfter } from '../../lib/queries/refresh.ts';
import { homeOf, useUser } from '../../lib/session.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { FormError, Notice } from '../../ui/states.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { readInviteLink } from './invite-link.ts';

const TITLE = 'Your invitation';

/** Where the link of an invitation's email leads: to an account with the invited address, then to the answer. */
export function InvitePage({ token }: { token: string | undefined }) {
  useTitle(TITLE);
  const user = useUser();
  const link = readInviteLink(token);
  if (!token || !link) {
    return (
      <AuthLayout title={TITLE}>
        <Notice>This link is incomplete. Open it again from the email.</Notice>
      </AuthLayout>
    );
  }
  if (user) return <Followed token={token} />;
  const search = { email: link.email, redirect: `/invite?token=${encodeURIComponent(token)}` };
  return (
    <AuthLayout title={TITLE} lead={`It was sent to ${link.email}. Open it with an account of this address.`}>
      <div className="flex flex-col gap-2">
        <LinkButton
          to={link.role === 'reseller' ? '/reseller/register' : '/register'}
          search={search}
          variant="primary"
        >
          Create an account
        </LinkButton>
        <LinkButton to="/login" search={search}>
          Log in
        </LinkButton>
      </div>
    </AuthLayout>
  );
}

function Followed({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const user = useUser();
  const home = homeOf(user);
  const follow = useMutation({
    mutationFn: () => api.followInvite({ body: { token } }),
    onSuccess: () => refreshAfter(queryClient, 'emailVerified'),
  });
  const respond = useMutation({
    mutationFn: (response: 'accept' | 'reject') =>
      api.respondToInvite({ body: { invite_id: follow.data?.id ?? '', response } }),
    onSuccess: () => refreshAfter(queryClient, 'invitesChanged'),
  });
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    follow.mutate();
  }, [follow.mutate]);

  const toHome = (
    <LinkButton to={home} variant="primary">
      Go to the dashboard
    </LinkButton>
  );
  if (follow.isError) {
    return (
      <AuthLayout title={TITLE}>
        <div className="flex flex-col gap-5">
          <FormError error={follow.error} />
          {toHome}
        </div>
      </AuthLayout>
    );
  }
  const invite = follow.data;
  if (!invite)
    return (
      <AuthLayout title={TITLE} lead="Opening …">
        {null}
      </AuthLayout>
    );
  const state = respond.data?.state ?? invite.state;
  if (state !== 'pending') {
    return (
      <AuthLayout title={TITLE}>
        <div className="flex flex-col gap-5">
          <Notice tone={state === 'accepted' ? 'good' : 'plain'}>
            {state === 'accepted' ? `You and ${invite.company_name} are partners.` : 'You rejected this invitation.'}
          </Notice>
          {toHome}
        </div>
      </AuthLayout>
    );
  }
  const offer = user?.is_reseller ? 'invites you to sell their plugins' : 'would like to sell your plugins';
  return (
    <AuthLayout title={TITLE} lead={`${invite.company_name} (${invite.email}) ${offer}.`}>
      <div className="flex flex-col gap-5">
        <FormError error={respond.error} />
        <p>
          Commission: <strong className="font-semibold">{invite.commission_rate}%</strong>
        </p>
        {invite.message ? (
          <blockquote className="rounded-md bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-line text-muted">
            {invite.message}
          </blockquote>
        ) : null}
        <div className="flex gap-2">
          <Button
            variant="primary"
            busy={respond.isPending && respond.variables === 'accept'}
            disabled={respond.isPending}
            onClick={() => respond.mutate('accept')}
          >
            Accept
          </Button>
          <Button
            busy={respond.isPending && respond.variables === 'reject'}
            disabled={respond.isPending}
            onClick={() => respond.mutate('reject')}
          >
            Reject
          </Button>
        </div>
      </div>
    </AuthLayout>
  );
}
