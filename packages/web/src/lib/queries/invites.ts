import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { byCursor, cursorOf, headerPage } from './header-page.ts';
import { keys } from './keys.ts';

/** The newest 100 invitations that wait for this account's answer, and how many there are. Refreshed by live events. */
export const receivedInvitesQuery = (reseller: boolean) =>
  queryOptions({
    queryKey: keys.invites.received,
    queryFn: async ({ signal }) =>
      headerPage(
        reseller
          ? await api.withResponse.listResellerInvites(undefined, { signal })
          : await api.withResponse.listDeveloperInvites(undefined, { signal }),
      ),
    staleTime: 60_000,
  });

/** What the link of an invitation shows, with or without an account. */
export const invitePreviewQuery = (token: string) =>
  queryOptions({
    queryKey: keys.invites.preview(token),
    queryFn: ({ signal }) => api.previewInvite({ body: { token } }, { signal }),
    staleTime: 60_000,
  });

/** The invitations that this account has sent, the newest first, page by page. */
export const sentInvitesQuery = infiniteQueryOptions({
  ...byCursor,
  queryKey: keys.invites.sent,
  queryFn: ({ pageParam, signal }) => api.listSentInvites({ query: cursorOf(pageParam) }, { signal }),
});
