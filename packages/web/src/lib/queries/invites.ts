import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { keys } from './keys.ts';

/** Invitations that wait for this account's answer, refreshed by live events. */
export const receivedInvitesQuery = (reseller: boolean) =>
  queryOptions({
    queryKey: keys.invites.received,
    queryFn: ({ signal }) =>
      reseller ? api.listResellerInvites(undefined, { signal }) : api.listDeveloperInvites(undefined, { signal }),
    staleTime: 60_000,
  });

/** The newest 100 invitations that this account has sent. */
export const sentInvitesQuery = queryOptions({
  queryKey: keys.invites.sent,
  queryFn: ({ signal }) => api.listSentInvites(undefined, { signal }),
});
