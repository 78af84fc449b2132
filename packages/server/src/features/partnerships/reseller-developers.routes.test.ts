import { randomUUID } from 'node:crypto';
import { makeProduct, makeSerials, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { inviteCalls } from '@tonerow/test-support/invites.ts';
import { partnerCalls } from '@tonerow/test-support/partner-calls.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

// A developer who is missing there is missing on every page of a reseller: sales, statements and money.

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const { step, merge } = partnerCalls(() => server);

/** The developers of a reseller, as they are noted, after they were compared with the partnerships. */
async function noted(resellerId: string): Promise<unknown[]> {
  const kept = await server.db.query('select developer_id from reseller_developers where reseller_id = $1 order by 1', [
    resellerId,
  ]);
  const partners = await server.db.query(
    'select distinct developer_id from partnerships where reseller_id = $1 order by 1',
    [resellerId],
  );
  expect(kept).toEqual(partners);
  return kept.map(({ developer_id }) => developer_id);
}

it('a reseller’s developers are noted with the first partnership, whoever invited, and stay whatever becomes of it', async () => {
  const partners = await makePartners(server);
  const { developer, reseller } = partners;
  expect(await noted(reseller.id)).toEqual([developer.id]);
  for (const change of ['pause', 'resume', 'end'] as const) await step(partners, change);
  expect(await noted(reseller.id)).toEqual([developer.id]);
  const { ask, received, respond } = inviteCalls(() => ({ server, ada: developer, rae: reseller }));
  const invitationOf = async (person: Person) => {
    expect((await ask(person.email)).status).toBe(201);
    return (await received(person, 'developer'))[0].id as string;
  };
  expect((await respond(developer, await invitationOf(developer))).status).toBe(200);
  expect(await noted(reseller.id)).toEqual([developer.id]);

  const [refusing, accepting] = [await signUpVerified(server), await signUpVerified(server)];
  expect((await respond(refusing, await invitationOf(refusing), 'reject')).status).toBe(200);
  expect(await noted(reseller.id)).toEqual([developer.id]);
  expect((await respond(accepting, await invitationOf(accepting))).status).toBe(200);
  expect(await noted(reseller.id)).toEqual([developer.id, accepting.id].sort());
});

it('they are noted when a named reseller is claimed or merged, and not before it has an account', async () => {
  const developer = await signUpVerified(server);
  const reseller = await signUpVerified(server, 'reseller');
  const product = await makeProduct(server, developer.token);
  const { invitedId, respond, resellersOf } = inviteCalls(() => ({ server, ada: developer, rae: reseller }));
  for (const new_reseller_name of ['Claimed Shop', 'Merged Shop'])
    await makeSerials(server, developer.token, product.id, { quantity: 1, new_reseller_name });
  expect(await noted(reseller.id)).toEqual([]);
  const named = Object.fromEntries((await resellersOf(developer)).map(({ id, name }) => [name, id as string]));
  const claimed = named['Claimed Shop'] as string;
  const invite = await invitedId({ email: reseller.email, commission_rate: 20, partnership_id: claimed });
  expect((await respond(reseller, invite)).status).toBe(200);
  expect(await noted(reseller.id)).toEqual([developer.id]);
  const shop = { developer, reseller, partnershipId: named['Merged Shop'] as string };
  expect((await merge(shop, claimed)).status).toBe(200);
  expect(await noted(reseller.id)).toEqual([developer.id]);
});

it('the database takes no partnership with an account that is not noted', async () => {
  const developer = await signUpVerified(server);
  const reseller = await signUpVerified(server, 'reseller');
  const planted = server.db.query(
    `insert into partnerships (id, developer_id, reseller_id, name, name_key, status, created_at)
     values ($1, $2, $3, 'Shop', 'shop', 'active', now())`,
    [randomUUID(), developer.id, reseller.id],
  );
  await expect(planted).rejects.toMatchObject({ code: '23503' });
});
