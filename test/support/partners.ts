import { call, type Person, signUpVerified } from './http.ts';

type Server = Parameters<typeof signUpVerified>[0];

/** A developer and a reseller who work together, and the partnership's id. */
export interface Partners {
  developer: Person;
  reseller: Person;
  partnershipId: string;
}

/** Makes two people partners, by an invitation that is accepted. */
export async function connectPartners(
  server: Server,
  developer: Person,
  reseller: Person,
  commission_rate = 20,
): Promise<string> {
  const invited = await call(server, 'POST', '/api/reseller/developer/invite-reseller', {
    token: developer.token,
    body: { email: reseller.email, commission_rate },
  });
  if (invited.status !== 201) throw new Error(`not invited: ${invited.text}`);
  const accepted = await call(server, 'POST', '/api/reseller/invites/respond', {
    token: reseller.token,
    body: { invite_id: invited.body.invites[0].id, response: 'accept' },
  });
  if (accepted.status !== 200) throw new Error(`not accepted: ${accepted.text}`);
  return accepted.body.partnership_id;
}

export async function makePartners(server: Server, commissionRate?: number): Promise<Partners> {
  const developer = await signUpVerified(server);
  const reseller = await signUpVerified(server, 'reseller');
  return { developer, reseller, partnershipId: await connectPartners(server, developer, reseller, commissionRate) };
}
