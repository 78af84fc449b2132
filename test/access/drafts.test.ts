import { call, makeProduct, makeSerials } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';
import { accessTable, actors } from './access-table.ts';

interface Parameter {
  name: string;
  in: string;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const PICTURE = 'https://cdn.example.com/secret-cover.png';
const NAME = 'Unreleased Marvel';
const TAG = 'hush-hush';

let server: SharedServer;
let partners: Partners;
let draft: { id: string };
let codes: string[];

/** A draft that was given serials, for sale and as a deal, and of which so many were revoked that its reseller runs low. */
beforeAll(async () => {
  server = await sharedServer();
  partners = await makePartners(server);
  const { developer, reseller, partnershipId } = partners;
  const token = developer.token;
  await call(server, 'PATCH', `/api/reseller/developer/resellers/${partnershipId}`, {
    token,
    body: { low_stock_threshold: 5 },
  });
  await call(server, 'POST', '/api/webhooks', {
    token: reseller.token,
    body: { url: 'https://hooks.example.com/in', events: ['*'] },
  });
  draft = await makeProduct(server, token, { name: NAME, is_draft: true, image_url: PICTURE });
  const given = await makeSerials(server, token, draft.id, { reseller_id: partnershipId, quantity: 6 });
  const deal = { reseller_id: partnershipId, quantity: 2, promo_price: 9, batch_tag: TAG };
  codes = [...given, ...(await makeSerials(server, token, draft.id, deal))].map(({ code }) => code);
  const revoked = await call(server, 'POST', '/api/serials/bulk', {
    token,
    body: { ids: given.map(({ id }) => id), action: 'revoke' },
  });
  expect(revoked.status, revoked.text).toBe(200);
});

/** Every call with which a reseller reads, in each form that it answers in, with whatever names the draft. */
async function reads(): Promise<{ name: string; path: string; accept: string }[]> {
  const document = (await call(server, 'GET', '/api/openapi.json')).body as {
    paths: Record<string, { get?: Operation }>;
  };
  const column = actors.indexOf('linkedReseller');
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    if (!get || accessTable[get.operationId]?.[column] !== 'ok' || get.operationId === 'streamEvents') return [];
    const id = path.startsWith('/api/reseller/developers/') ? partners.developer.id : draft.id;
    const place = path.replace(/\{\w+\}/g, id);
    const query = (get.parameters ?? []).filter((each) => each.in === 'query').map((each) => each.name);
    const asked = query.includes('product_id')
      ? [`?product_id=${draft.id}`]
      : query.includes('search')
        ? [`?search=${NAME}`]
        : [];
    const forms = Object.keys(get.responses[200]?.content ?? {}).filter((type) => /json$|csv$/.test(type));
    return ['', ...asked].flatMap((rest) =>
      forms.map((accept) => ({ name: get.operationId, path: `${place}${rest}`, accept })),
    );
  });
}

it('a draft that was given serials is in no answer that its reseller can get', async () => {
  const calls = await reads();
  expect(calls.length).toBeGreaterThan(60);
  const { token } = partners.reseller;
  const found: string[] = [];
  for (const { name, path, accept } of calls) {
    const answer = await call(server, 'GET', path, { token, headers: { accept } });
    expect(answer.status, `${name} ${answer.text}`).toBeLessThan(500);
    const secrets = [NAME, PICTURE, TAG, ...codes, ...(answer.status === 200 ? [draft.id] : [])];
    if (secrets.some((secret) => answer.text.includes(secret))) found.push(`${name} ${accept}`);
  }
  expect(found).toEqual([]);
  expect((await call(server, 'GET', '/api/reseller/dashboard', { token })).body).toMatchObject({
    stats: { availableSerials: 0, notForSaleSerials: 0, connectedProducts: 0 },
    serialGroups: [],
    groups_total: 0,
  });
});

it('nor in an email or an event to the reseller, while the developer is told of all', async () => {
  const { developer, reseller, partnershipId } = partners;
  const sent = await server.db.query<{ recipient: string; subject: string }>(
    `select recipient, subject from mails where subject like '%' || $1 || '%' and recipient = any($2)`,
    [NAME, [developer.email, reseller.email]],
  );
  // its own stock is low, too
  expect(sent.map(({ recipient }) => recipient)).toEqual([developer.email, developer.email]);
  const { token } = developer;
  const stock = await call(server, 'GET', `/api/reseller/developer/resellers/${partnershipId}/stock`, { token });
  expect(stock.body).toMatchObject([{ product_name: NAME, image_url: PICTURE, given: 8, not_for_sale: 2, low: true }]);
});

it('and is shown once it is published', async () => {
  const { developer, reseller } = partners;
  await call(server, 'POST', `/api/products/${draft.id}/publish`, { token: developer.token, body: {} });
  const own = await call(server, 'GET', `/api/reseller/developers/${developer.id}/stock`, { token: reseller.token });
  expect(own.body).toMatchObject([{ product_name: NAME, available: 2 }]);
  expect((await call(server, 'GET', '/api/reseller/dashboard', { token: reseller.token })).body).toMatchObject({
    serialGroups: [{ product_name: NAME, remaining: 2 }],
  });
});
