import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, type Person } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectGoodLooks, expectNoSidewaysScroll, screenshot, setLook } from './dashboard.ts';

const COUNT = 103;

describe('lists that are longer than a page', { timeout: 240_000 }, () => {
  const { server, openPage } = browserSuite();
  let partners: Partners;

  beforeAll(async () => {
    partners = await makePartners(server, 20);
    await plant(partners);
  }, 120_000);

  /** So many named resellers, products in stock, sent and received invitations, and requests for deals. */
  async function plant({ developer, reseller, partnershipId }: Partners) {
    const { db } = server;
    await db.query(
      `insert into partnerships (id, developer_id, name, name_key, status, created_at)
       select gen_random_uuid(), $1, 'Shop ' || i, 'shop ' || lpad(i::text, 4, '0'), 'named', now() from generate_series(2, $2::int) i`,
      [developer.id, COUNT],
    );
    const product = await makeProduct(server, developer.token, { name: 'Prism Delay' });
    await db.query(
      `insert into products select (p).* from (
         select jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'name', 'Plugin ' || i, 'name_key', 'plugin ' || lpad(i::text, 4, '0'))) as p
         from products p, generate_series(2, $2::int) i where p.id = $1) planted`,
      [product.id, COUNT],
    );
    await db.query(
      `insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, created_at)
       select gen_random_uuid(), $1, p.id, $2, 'generate', 1, now() from products p where p.developer_id = $1`,
      [developer.id, partnershipId],
    );
    const asked = await call(server, 'POST', '/api/reseller/deal-requests', {
      token: reseller.token,
      body: { product_id: product.id, price: 20, quantity: 5 },
    });
    expect(asked.status, asked.text).toBe(201);
    await db.query(
      `insert into deal_requests select (r).* from (
         select jsonb_populate_record(r, jsonb_build_object('id', ('01990000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid)) as r
         from deal_requests r, generate_series(2, $2::int) i where r.id = $1) planted`,
      [asked.body.id, COUNT],
    );
    await copyInvites(developer, 'invite-reseller', (n) => `shop-${n}@example.com`, 'reseller');
    await db.query(
      `insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
       select gen_random_uuid(), 'developer', 'asker-' || i || '@example.com', 'asker-' || i || '@example.com', '', 'Ada', 'No ' || i, now()
       from generate_series(1, $1::int) i`,
      [COUNT],
    );
    await db.query(
      `insert into invites select (i).* from (
         select jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'inviter_id', u.id, 'email', $2::text, 'email_key', $2::text)) as i
         from invites i, users u where i.inviter_id = $1 and i.email = 'shop-1@example.com' and u.email like 'asker-%') planted`,
      [developer.id, reseller.email],
    );
  }

  /** One is sent; the others are like it. */
  async function copyInvites(from: Person, path: string, email: (n: string) => string, role: string) {
    const sent = await call(server, 'POST', `/api/reseller/developer/${path}`, {
      token: from.token,
      body: { email: email('1') },
    });
    expect(sent.status, sent.text).toBe(201);
    await server.db.query(
      `insert into invites select (i).* from (
         select jsonb_populate_record(i, jsonb_build_object('id', ('01990000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid,
           'email', 'shop-' || n || '@example.com', 'email_key', 'shop-' || n || '@example.com')) as i
         from invites i, generate_series(2, $2::int) n where i.id = $1 and i.role = $3) planted`,
      [sent.body.invites[0].id, COUNT, role],
    );
  }

  it('show more of a developer’s resellers, requests and invitations', async () => {
    const { developer, partnershipId } = partners;
    const page = await openPage({ as: developer });
    await page.goto('/dashboard/resellers');
    const shops = page.getByRole('list', { name: 'Resellers' }).getByRole('listitem');
    await expect(page.getByText(`100 of ${COUNT} resellers`)).toBeVisible();
    await expect(shops).toHaveCount(100);
    await expect(page.getByText(`100 of ${COUNT} requests`)).toBeVisible();
    await expect(page.getByText('The first 100 invitations')).toBeVisible();
    await expectGoodLooks(page, 'resellers-more');
    const more = (where: { getByRole: typeof page.getByRole }) => where.getByRole('button', { name: 'Show more' });
    const requests = page.locator('section[aria-labelledby=deal-requests]');
    await more(requests).click();
    await expect(requests.getByRole('listitem').nth(COUNT - 1)).toBeVisible();
    const invitations = page.locator('section[aria-labelledby=sent-invites]');
    await more(invitations).click();
    await expect(invitations.getByText('shop-2@example.com', { exact: true })).toBeVisible();
    // one of the three is left, that of the resellers
    await more(page).click();
    await expect(shops.nth(COUNT - 1)).toBeVisible();
    await expect(more(page)).not.toBeAttached();

    await page.goto(`/dashboard/resellers/${partnershipId}`);
    await expect(page.getByText(`100 of ${COUNT} products`)).toBeVisible();
    await page.getByText(`100 of ${COUNT} products`).scrollIntoViewIfNeeded();
    await screenshot(page, 'reseller-stock-more-dark-390');
    await more(page.locator('section[aria-labelledby=reseller-stock]')).click();
    await expect(more(page.locator('section[aria-labelledby=reseller-stock]'))).not.toBeAttached();
    for (const look of [
      ['dark', 390],
      ['light', 1280],
    ] as const) {
      await setLook(page, look);
      await expectNoSidewaysScroll(page);
    }
  });

  it('are counted as a whole under the bell, which shows the newest of them', async () => {
    const page = await openPage({ as: partners.reseller });
    await page.goto('/reseller/partners');
    await page.getByRole('button', { name: `Notifications, ${COUNT} pending` }).click();
    const invites = page.getByRole('list', { name: 'Pending invites' }).getByRole('listitem');
    await expect(invites).toHaveCount(100);
    await page.getByText('And 3 older, shown once these are done.').scrollIntoViewIfNeeded();
    await screenshot(page, 'bell-with-many-invites');
  });
});
