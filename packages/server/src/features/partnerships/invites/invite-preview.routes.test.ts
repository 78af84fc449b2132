import { call, makeProduct, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { inviteCalls } from '@tonerow/test-support/invites.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let rae: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  [ada, rae] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
});

const { post, invite, ask, respond, received, emailTo, tokenIn, unknownAddress } = inviteCalls(() => ({
  server,
  ada,
  rae,
}));
const preview = (token: string) => call(server, 'POST', '/api/reseller/invites/preview', { body: { token } });
const linkTo = async (email: string, subject = 'invites you') => tokenIn((await emailTo(email, subject)).text);

describe('what the link of an invitation shows before there is an account', () => {
  it('is who invites, to sell what and for which commission, without a word of theirs, a draft or a stock', async () => {
    const email = unknownAddress();
    const [old, cheap] = [
      await makeProduct(server, ada.token, { price: 49 }),
      await makeProduct(server, ada.token, { price: 30, sale_price: 20 }),
    ];
    const draft = await makeProduct(server, ada.token, { is_draft: true });
    const gone = await makeProduct(server, ada.token);
    await call(server, 'DELETE', `/api/products/${gone.id}`, { token: ada.token });
    const sent = await invite({ email, commission_rate: 32.5, message: 'Win a prize at evil.example' });
    const shown = await preview(await linkTo(email));
    expect([shown.status, shown.body]).toEqual([
      200,
      {
        role: 'reseller',
        company_name: 'Row Audio',
        email: ada.email,
        logo_url: null,
        website_url: null,
        commission_rate: 32.5,
        created_at: sent.body.invites[0].created_at,
        expires_at: sent.body.invites[0].expires_at,
        state: 'pending',
        products: [
          { name: cheap.name, image_url: null, price: 30, sale_price: 20 },
          { name: old.name, image_url: null, price: 49, sale_price: null },
        ],
        products_total: 2,
      },
    ]);
    expect(shown.text).not.toContain(draft.name);
    expect(shown.text).not.toContain('evil.example');
  });

  it('ends with the invitation: no products once it is answered, nothing at all once it is withdrawn', async () => {
    await makeProduct(server, ada.token);
    const sent = await invite({ email: rae.email });
    const token = await linkTo(rae.email);
    expect((await preview(token)).body.products_total).toBe(1);
    const [{ id }] = await received(rae);
    await respond(rae, id);
    expect((await preview(token)).body).toMatchObject({ state: 'accepted', products: [], products_total: 0 });
    expect(sent.status).toBe(201);

    const email = unknownAddress();
    const withdrawn = (await invite({ email })).body.invites[0].id;
    const late = await linkTo(email);
    await post(`/api/reseller/invites/${withdrawn}/withdraw`, ada.token);
    expect([(await preview(late)).status, (await preview(late)).body.code]).toEqual([422, 'link_invalid']);
  });

  it('has no products where a reseller asks, changes nothing, and is nobody else’s', async () => {
    const email = unknownAddress();
    await ask(email);
    const token = await linkTo(email, 'wants to sell');
    const shown = await preview(token);
    expect(shown.body).toMatchObject({ role: 'developer', email: rae.email, commission_rate: 20, products: [] });
    expect((await preview(token)).body).toEqual(shown.body);
    for (const forged of [`${token}x`, ada.token, 'x']) expect((await preview(forged)).body.code).toBe('link_invalid');
    expect((await preview('x'.repeat(2001))).status).toBe(400);
    await server.db.query('update users set deleted_at = now() where id = $1', [rae.id]);
    expect((await preview(token)).body.code).toBe('link_invalid');
  });
});
