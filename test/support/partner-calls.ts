import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { call, makeProduct, makeSerials, type Person, redeem } from './http.ts';
import type { Partners } from './partners.ts';
import type { SharedServer } from './server.ts';

/** The calls of a developer and a reseller about their partnership, and the sales and emails that come of it. */
export function partnerCalls(server: () => SharedServer) {
  const path = (id: string) => `/api/reseller/developer/resellers/${id}`;
  const profile = ({ developer, partnershipId }: Partners) =>
    call(server(), 'GET', path(partnershipId), { token: developer.token });
  return {
    profile,
    /** The kinds of entries in the history, newest first. */
    kinds: async (partners: Partners): Promise<string[]> =>
      (await profile(partners)).body.history.map((each: { kind: string }) => each.kind),
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
    emailsTo: async (address: string, subject: string): Promise<number> =>
      (await server().db.query('select 1 from mails where recipient = $1 and subject like $2', [address, subject]))
        .length,
    /** Codes of a product of 49 dollars that were given to the reseller. */
    stock: async ({ developer, partnershipId }: Partners, quantity = 3): Promise<string[]> => {
      const product = await makeProduct(server(), developer.token);
      const serials = await makeSerials(server(), developer.token, product.id, {
        quantity,
        reseller_id: partnershipId,
      });
      return serials.map(({ code }) => code);
    },
    sell: async ({ developer }: Partners, code = ''): Promise<void> =>
      expect((await redeem(server(), code, `${randomUUID()}@example.com`, developer.id)).status).toBe(200),
  };
}
