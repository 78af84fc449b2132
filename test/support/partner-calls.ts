import { call, type Person } from './http.ts';
import type { Partners } from './partners.ts';
import type { TestServer } from './server.ts';

/** The calls of a developer and a reseller about their partnership. */
export function partnerCalls(server: () => TestServer) {
  const path = (id: string) => `/api/reseller/developer/resellers/${id}`;
  return {
    profile: ({ developer, partnershipId }: Partners) =>
      call(server(), 'GET', path(partnershipId), { token: developer.token }),
    change: ({ developer, partnershipId }: Partners, body: object) =>
      call(server(), 'PATCH', path(partnershipId), { token: developer.token, body }),
    step: ({ developer, partnershipId }: Partners, step: 'pause' | 'resume' | 'end') =>
      call(server(), 'POST', `${path(partnershipId)}/${step}`, { token: developer.token, body: {} }),
    merge: ({ developer, partnershipId }: Partners, into: string, dry_run = false) =>
      call(server(), 'POST', `${path(partnershipId)}/merge`, { token: developer.token, body: { into, dry_run } }),
    message: ({ developer, partnershipId }: Partners, message: string) =>
      call(server(), 'POST', `${path(partnershipId)}/message`, { token: developer.token, body: { message } }),
    /** The developer, as the reseller sees them. */
    seen: ({ developer, reseller }: Partners) =>
      call(server(), 'GET', `/api/reseller/developers/${developer.id}`, { token: reseller.token }),
    developersOf: (reseller: Person, query = '') =>
      call(server(), 'GET', `/api/reseller/developers${query}`, { token: reseller.token }),
  };
}
