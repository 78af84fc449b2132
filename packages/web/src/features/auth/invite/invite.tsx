import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { invitePreviewQuery } from '#lib/queries/invites.ts';
import { homeOf, useAccount } from '#lib/session/session.ts';
import type { InvitePreview } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed, FormError, Notice } from '#ui/states.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { InviteCard, InviteCardSkeleton } from './invite-card.tsx';
import { type InviteLink, readInviteLink } from './invite-link.ts';

const TITLE = 'Your invitation';

/**
 * The page that the link in the email of an invitation opens. It leads to an account with the invited address, then to
 * the answer.
 */
export function InvitePage({ token }: { token: string | undefined }) {
  useTitle(TITLE);
  const account = useAccount();
  const link = readInviteLink(token);
  if (!token || !link) {
    return (
      <AuthLayout title={TITLE}>
        <Notice>This link is incomplete. Open it again from the email.</Notice>
      </AuthLayout>
    );
  }
  return account ? <Followed token={token} /> : <SignedOut token={token} link={link} />;
}

/** Shows who invites to what before any form, then the way to an account. */
function SignedOut({ token, link }: { token: string; link: InviteLink }) {
  const preview = useQuery(invitePreviewQuery(token));
  const { data: invite, error } = preview;
  const search = { email: link.email, redirect: `/invite?token=${encodeURIComponent(token)}` };
  if (describeError(error).code === 'link_invalid') {
    return (
      <AuthLayout title={TITLE}>
        <div className="flex flex-col gap-5">
          <FormError error={error} />
          <LinkButton to="/login">Sign in</LinkButton>
        </div>
      </AuthLayout>
    );
  }
  const answered = invite && invite.state !== 'pending';
  return (
    <AuthLayout wide title={TITLE} lead={invite ? leadOf(invite) : undefined}>
      <div className="flex flex-col gap-6">
        {invite ? (
          <InviteCard invite={invite} />
        ) : preview.isError ? (
          <Panel>
            <Failed
              title="The invitation couldn't be loaded"
              error={error}
              retry={preview.refetch}
              retrying={preview.isFetching}
            />
          </Panel>
        ) : (
          <InviteCardSkeleton />
        )}
        <div className="flex flex-col gap-3">
          <p className="text-sm text-muted">
            It was sent to {link.email}. {answered ? 'Sign in' : 'Open it'} with an account of this address.
          </p>
          <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
            {answered ? null : (
              <LinkButton
                to={link.role === 'reseller' ? '/reseller/register' : '/register'}
                search={search}
                variant="primary"
              >
                Create an account
              </LinkButton>
            )}
            <LinkButton to="/login" search={search}>
              Sign in
            </LinkButton>
          </div>
        </div>
      </div>
    </AuthLayout>
  );
}

function leadOf({ company_name, role, state }: InvitePreview): string {
  if (state === 'accepted') return `The invitation of ${company_name} was accepted.`;
  if (state === 'rejected') return `The invitation of ${company_name} was rejected.`;
  return role === 'reseller'
    ? `${company_name} invites you to sell their plugins.`
    : `${company_name} would like to sell your plugins.`;
}

function Followed({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const preview = useQuery(invitePreviewQuery(token));
  const home = homeOf(useAccount());
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
            {state === 'accepted' ? `You and ${invite.company_name} are connected.` : 'You rejected this invitation.'}
          </Notice>
          {toHome}
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout wide title={TITLE} lead={preview.data ? leadOf(preview.data) : `From ${invite.company_name}`}>
      <div className="flex flex-col gap-5">
        <FormError error={respond.error} />
        {preview.data ? (
          <InviteCard invite={preview.data} />
        ) : preview.isError ? (
          <p>
            {invite.company_name} ({invite.email}). Commission:{' '}
            <strong className="font-semibold">{invite.commission_rate}%</strong>
          </p>
        ) : (
          <InviteCardSkeleton />
        )}
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
