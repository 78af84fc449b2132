import { queryOptions } from '@tanstack/react-query';
import { page, pages, q } from './operation.ts';

/** The newest 100 invitations that wait for this account's answer, and how many there are. Refreshed by live events. */
export const receivedInvitesQuery = (reseller: boolean) =>
  queryOptions({
    ...page(reseller ? 'listResellerInvites' : 'listDeveloperInvites'),
    staleTime: 60_000,
  });

/** The preview that the link of an invitation shows, with or without an account. */
export const invitePreviewQuery = (token: string) =>
  queryOptions({
    ...q('previewInvite', { body: { token } }),
    staleTime: 60_000,
  });

/** The invitations that this account has sent, the newest first, page by page. */
export const sentInvitesQuery = pages('listSentInvites');
