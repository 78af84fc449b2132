import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { plantStatement } from '@tonerow/test-support/billing.ts';
import { call, makeProduct, makeSerials, signUp, verifyEmail } from '@tonerow/test-support/http.ts';
import { payoutCases, plantPayout } from '@tonerow/test-support/payouts.ts';
import { plantSeller } from '@tonerow/test-support/sellers.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessTable, actors } from './access-table.ts';
import { ABSENT, documentedRoutes, type Route } from './documented-routes.ts';

let server: TestServer;
let stripe: StripeStandIn;

beforeAll(async () => {
  stripe = await startStripe();
  server = await startServer({ env: stripe.env });
});
afterAll(async () => {
  await server.stop();
  stripe.stop();
});

const TABLES = [
  'users',
  'products',
  'batches',
  'serials',
  'plugin_keys',
  'plugin_key_reveals',
  'access_tokens',
  'oidc_trusts',
  'sessions',
  'partnerships',
  'payouts',
  'payout_payments',
  'payout_messages',
  'partnership_events',
  'partner_low_stock',
  'invites',
  'deal_requests',
  'draws',
  'activations',
  'product_keys',
  'expansion_secrets',
  'account_archives',
  'product_unlocks',
  'customers',
  'billing_customers',
  'billing_statements',
  'billing_lines',
  'setup_intents',
  'files',
  'file_versions',
  'imports',
  'saved_views',
  'webhook_endpoints',
  'webhook_events',
  'webhook_deliveries',
  'shop_connections',
  'shop_items',
  'shop_orders',
];

it('somebody else’s id looks like an absent one and changes nothing', async () => {
  const [mine, stranger] = [await signUp(server), await signUp(server)];
  const product = await makeProduct(server, mine.token);
  const [serial] = await makeSerials(server, mine.token, product.id);
  const file_urls = [{ name: 'macOS', url: 'https://files.example.com/a.pkg' }];
  await call(server, 'PUT', `/api/products/${product.id}`, { token: mine.token, body: { file_urls } });
  const fileVersion = (
    await call(server, 'POST', `/api/products/${product.id}/file-versions`, {
      token: mine.token,
      body: { name: '1' },
    })
  ).body;
  const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: mine.token, body: {} })).body.key;
  const token = (
    await call(server, 'POST', '/api/account/tokens', {
      token: mine.token,
      body: { name: 'x', scopes: ['account:read'] },
    })
  ).body;
  const trust = { id: randomUUID() };
  await server.db.query(
    `insert into oidc_trusts (id, user_id, name, issuer, repository_id, branch, scopes, created_at)
     values ($1, $2, 'release', 'https://gitlab.com', '1', 'main', '{account:read}', now())`,
    [trust.id, mine.id],
  );
  const [session] = (await call(server, 'GET', '/api/account/sessions', { token: mine.token })).body;
  const machine = { id: randomUUID() };
  await server.db.query(
    `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at)
     values ($1, $2, $3, 'm', now(), now())`,
    [machine.id, mine.id, serial?.id],
  );
  const invite = { id: randomUUID() };
  await server.db.query(
    `insert into invites (id, inviter_id, role, email, email_key, state, request_id, created_at, sent_at, expires_at)
     values ($1, $2, 'reseller', 'shop@example.com', 'shop@example.com', 'pending', $1, now(), now(), now() + interval '30 days')`,
    [invite.id, mine.id],
  );
  const partnership = { id: randomUUID() };
  const shop = await signUp(server, 'reseller');
  await plantSeller(server.db, shop.id, mine.id);
  await server.db.query(
    `insert into partnerships (id, developer_id, reseller_id, name, name_key, status, created_at)
     values ($1, $2, $3, 'Shop', 'shop', 'active', now())`,
    [partnership.id, mine.id, shop.id],
  );
  const otherShop = await signUp(server, 'reseller');
  await verifyEmail(server, stranger);
  await verifyEmail(server, otherShop);
  const payout = await plantPayout(server.db, mine.id);
  const invoice = { id: await plantStatement(server.db, mine) };
  const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const [batch] = (await call(server, 'GET', '/api/batches', { token: mine.token })).body.rows;
  const file = (await call(server, 'POST', '/api/files', { token: mine.token, body: { name: 'a.zip', size: 1 } })).body;
  const csv = new FormData();
  csv.append('file', new Blob(['Email\nann@example.com\nnobody\n']), 'people.csv');
  const imported = (await call(server, 'POST', '/api/customers/import', { token: mine.token, body: csv })).body;
  const people = new FormData();
  people.append('file', new Blob(['Email\nbob@example.com\n']), 'people.csv');
  const opened = (await call(server, 'POST', '/api/imports', { token: mine.token, body: people })).body;
  const [customer] = (await call(server, 'GET', '/api/customers/list', { token: mine.token })).body.customers;
  const deal = { id: randomUUID() };
  await server.db.query(
    `insert into deal_requests (developer_id, id, partnership_id, product_id, product_name, price_cents, quantity, status, created_at)
     values ($1, $2, $3, $4, 'Plugin', 100, 5, 'pending', now())`,
    [mine.id, deal.id, partnership.id, product.id],
  );
  await server.db.query(
    `with sale as (
       insert into draws (id, reseller_id, reference, developer_id, partnership_id, product_id, quantity, created_at, sold_for_cents)
       values ($1, $2, 'order-1', $3, $4, $5, 1, now(), 4900) returning id)
     insert into draw_items (developer_id, draw_id, serial_id, code) select $3, id, $6, $7 from sale`,
    [randomUUID(), shop.id, mine.id, partnership.id, product.id, serial?.id, serial?.code],
  );
  const view = { id: randomUUID() };
  await server.db.query(
    `insert into saved_views (id, user_id, list, name, name_key, filter, hidden_columns, created_at)
     values ($1, $2, 'redeemed', 'Mine', 'mine', '{}', '{}', now())`,
    [view.id, mine.id],
  );
  const [hook, listener, sent] = [{ id: randomUUID() }, { id: randomUUID() }, { id: randomUUID() }];
  // rows are planted for what does not happen here: a delivery would note its outcome amid the comparison
  await server.db.query(
    `insert into webhook_endpoints (id, developer_id, url, description, events, signature, include_personal, secret, enabled,
       listens_until, created_at)
     values ($1, $3, 'https://example.com', '', '{seat.released}', 'v1', false, 'x', true, null, now()),
       ($2, $3, '', '', '{seat.released}', 'v1', false, '', true, now() + interval '1 year', now())`,
    [hook.id, listener.id, mine.id],
  );
  await server.db.query(
    `with event as (
       insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
       values ($1, $2, 'webhook.test', now(), '{}', '{}', 1) returning id)
     insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, created_at)
     select $1, id, $3, id, 'webhook.test', 'failed', now() from event`,
    [mine.id, sent.id, hook.id],
  );
  await verifyEmail(server, mine);
  const sold = { id: '1', product_ids: [product.id], quantity: 1, paid: '10.00' };
  const sale = {
    order: 'fair-1',
    email: 'ann@example.com',
    currency: 'USD',
    paid_at: '2026-03-10T12:00:00Z',
    lines: [sold],
  };
  const order = { id: (await call(server, 'POST', '/api/sales', { token: mine.token, body: sale })).body.order_id };
  const connected = (
    await call(server, 'POST', '/api/shops', { token: mine.token, body: { kind: 'other', name: 'Fair' } })
  ).body.shop;
  const archive = { id: randomUUID() };
  await server.db.query(
    `insert into account_archives (developer_id, id, state, head, size, sha256, created_at, seen_at, finished_at)
     values ($1, $2, 'complete', '', 1, '', now(), now(), now())`,
    [mine.id, archive.id],
  );
  const cases: Record<string, { id: string; body?: (id: string) => object; bytes?: Buffer; token?: string }> = {
    getAccountArchive: { id: archive.id },
    downloadAccountArchive: { id: archive.id },
    deleteAccountArchive: { id: archive.id },
    getProduct: { id: product.id },
    getProductOverview: { id: product.id },
    updateProduct: { id: product.id, body: () => ({ name: 'Mine now' }) },
    publishProduct: { id: product.id, body: () => ({}) },
    rotateExpansionSecret: { id: product.id },
    deleteProduct: { id: product.id },
    listFileVersions: { id: product.id },
    createFileVersion: { id: product.id, body: () => ({ name: '2' }) },
    setCurrentFileVersion: { id: fileVersion.id, body: () => ({}) },
    announceFileVersion: { id: fileVersion.id, body: () => ({}) },
    deleteFileVersion: { id: fileVersion.id },
    revokeSerial: { id: serial?.id as string },
    reassignSerial: { id: serial?.id as string },
    revealPluginKey: { id: key.id },
    deletePluginKey: { id: key.id },
    deleteAccessToken: { id: token.id },
    getTrust: { id: trust.id },
    updateTrust: { id: trust.id, body: () => ({ name: 'Mine now' }) },
    deleteTrust: { id: trust.id },
    revokeSession: { id: session.id, body: (id) => ({ id }) },
    getSerial: { id: serial?.id as string },
    listSerialHistory: { id: serial?.id as string },
    listSerialMachines: { id: serial?.id as string },
    refreshSerial: { id: serial?.id as string },
    getBatch: { id: batch.id },
    getBatchFunnel: { id: batch.id },
    revokeBatch: { id: batch.id, body: () => ({}) },
    listSerialGroup: { id: product.name },
    deleteSerialGroup: { id: product.name },
    getCustomer: { id: customer.id },
    listCustomerActivity: { id: customer.id },
    exportCustomerData: { id: customer.id },
    eraseCustomer: { id: customer.id },
    changeCustomer: { id: customer.id, body: () => ({ first_name: 'Mine now' }) },
    addCustomerNote: { id: customer.id, body: () => ({ text: 'Mine now' }) },
    getImport: { id: imported.import_id },
    getImportProof: { id: imported.import_id },
    downloadImportReport: { id: imported.import_id },
    changeImport: { id: opened.id, body: () => ({ kind: 'customers' }) },
    checkImport: { id: opened.id },
    runImport: { id: opened.id },
    undoImport: { id: imported.import_id },
    discardImport: { id: opened.id },
    getFile: { id: file.id },
    deleteFile: { id: file.id },
    downloadOwnFile: { id: file.id },
    uploadFilePart: { id: file.id, bytes: Buffer.from('x') },
    rotatePluginKey: { id: key.id, body: () => ({}) },
    updatePluginKey: { id: key.id, body: () => ({ label: 'Mine now' }) },
    getProductRsa: { id: product.id },
    getProductUnlock: { id: product.id },
    makeProductUnlock: { id: product.id, body: () => ({ product_name: product.name }) },
    downloadProductUnlock: { id: product.id },
    publishProductUnlock: { id: product.id, body: () => ({ product_name: product.name, audience: 'everyone' }) },
    withdrawProductUnlock: { id: product.id },
    importProductRsa: { id: product.id, body: () => ({ private_key_pem: pem }) },
    setSerialSeats: { id: serial?.id as string, body: () => ({ max_activations: 1000 }) },
    resendSerialEmail: { id: serial?.id as string, body: () => ({}) },
    transferSerial: { id: serial?.id as string, body: () => ({ email: 'mine@example.com' }) },
    changeBatch: { id: batch.id, body: () => ({ expires_at: null }) },
    releaseSerialMachine: { id: machine?.id as string, body: () => ({}) },
    ...payoutCases(payout.id, otherShop.token),
    getInvoice: { id: invoice.id },
    confirmInvoicePayment: { id: invoice.id },
    printInvoice: { id: invoice.id },
    downloadInvoicePdf: { id: invoice.id },
    withdrawInvite: { id: invite.id, body: () => ({}) },
    resendInvite: { id: invite.id, body: () => ({}) },
    respondToInvite: { id: invite.id, body: (id) => ({ invite_id: id, response: 'accept' }) },
    generateSerials: { id: product.id, body: (id) => ({ product_id: id }) },
    getReseller: { id: partnership.id },
    getResellerStock: { id: partnership.id },
    changeReseller: { id: partnership.id, body: () => ({ commission_rate: 1 }) },
    pauseReseller: { id: partnership.id, body: () => ({}) },
    resumeReseller: { id: partnership.id, body: () => ({}) },
    endReseller: { id: partnership.id, body: () => ({}) },
    messageReseller: { id: partnership.id, body: () => ({ message: 'hi' }) },
    mergeReseller: { id: partnership.id, body: () => ({ into: randomUUID() }) },
    getResellerCirculation: { id: partnership.id },
    getDraw: { id: 'order-1', token: otherShop.token },
    returnDraw: { id: 'order-1', body: () => ({}), token: otherShop.token },
    getHandSale: { id: 'order-1', token: otherShop.token },
    emailHandSale: { id: 'order-1', body: () => ({ email: 'eve@example.com' }), token: otherShop.token },
    sellSerial: { id: product.id, body: (id: string) => ({ product_id: id, reference: 'r' }), token: otherShop.token },
    drawSerials: {
      id: product.id,
      body: (id) => ({ product_id: id, reference: 'order-2' }),
      token: otherShop.token,
    },
    refundSerial: { id: serial?.id as string, body: () => ({ reason: 'Mine now' }) },
    reinstateSerial: { id: serial?.id as string, body: () => ({ reason: 'Mine now' }) },
    getPartner: { id: mine.id, token: otherShop.token },
    getPartnerStock: { id: mine.id, token: otherShop.token },
    getResellerProduct: { id: product.id, token: otherShop.token },
    listResellerAvailableSerials: { id: product.id, token: otherShop.token },
    listResellerRedeemedSerials: { id: product.id, token: otherShop.token },
    requestDeal: {
      id: product.id,
      body: (id) => ({ product_id: id, price: 1, quantity: 1 }),
      token: otherShop.token,
    },
    withdrawDealRequest: { id: deal.id, body: () => ({}), token: otherShop.token },
    changeView: { id: view.id, body: () => ({ name: 'Mine now' }) },
    deleteView: { id: view.id },
    getWebhook: { id: hook.id },
    updateWebhook: { id: hook.id, body: () => ({ description: 'Mine now' }) },
    deleteWebhook: { id: hook.id },
    rotateWebhookSecret: { id: hook.id, body: () => ({}) },
    testWebhook: { id: hook.id, body: () => ({}) },
    replayWebhook: { id: hook.id, body: () => ({ since: '2020-01-01T00:00:00Z' }) },
    listWebhookDeliveries: { id: hook.id },
    getWebhookDelivery: { id: sent.id },
    retryWebhookDelivery: { id: sent.id, body: () => ({}) },
    renewWebhookListener: { id: listener.id, body: () => ({}) },
    deleteWebhookListener: { id: listener.id },
    getShopOrder: { id: order.id },
    updateShopOrder: { id: order.id, body: () => ({ note: 'Mine now' }) },
    decideShopOrder: { id: order.id, body: () => ({ answer: 'keep' }) },
    resendShopOrder: { id: order.id },
    replayShopDelivery: { id: order.id },
    openShop: { id: connected.id, body: () => ({ key: 'mine' }) },
    closeShop: { id: connected.id },
    listShopDeliveries: { id: connected.id },
    reconcileShop: { id: connected.id },
    getShop: { id: connected.id },
    updateShop: { id: connected.id, body: () => ({ name: 'Mine now' }) },
    listShopItems: { id: connected.id },
    mapShopItems: { id: connected.id, body: () => ({ items: [{ key: 'a', product_ids: [product.id] }] }) },
    deleteShopItem: { id: connected.id },
    listOrdersOfShop: { id: connected.id },
    pauseShop: { id: connected.id, body: () => ({}) },
    resumeShop: { id: connected.id, body: () => ({}) },
    rotateShopSecret: { id: connected.id, body: () => ({}) },
    deleteShop: { id: connected.id },
    getDealRequest: { id: deal.id },
    declineDealRequest: { id: deal.id, body: () => ({ reason: 'No' }) },
  };
  // demo files, the keys that verify webhooks and what is published are public, and admins may see everybody's
  const open = ['downloadDemoCsv', 'getWebhookKeys', 'getPublishedUnlock'];
  const adminsOnly = ({ id }: Route) => {
    const row = accessTable[id];
    return row?.[actors.indexOf('admin')] === 'ok' && row[actors.indexOf('developer')] === 403;
  };
  const routes = await documentedRoutes(server);
  const withId = routes
    .filter((route) => route.path.includes('{') && !open.includes(route.id) && !adminsOnly(route))
    .map((route) => route.id);
  expect(withId.filter((id) => !(id in cases))).toEqual([]);
  const snapshot = async () =>
    Promise.all(
      TABLES.map((name) =>
        server.db.query(`select md5(string_agg(t::text, '' order by t::text)) as sum from ${name} t`),
      ),
    );
  const before = await snapshot();
  for (const [id, { id: theirs, body, bytes, token: by = stranger.token }] of Object.entries(cases)) {
    const route = routes.find((each) => each.id === id) as Route;
    const ask = (value: string) =>
      call(
        server,
        route.method,
        route.path
          .replace('{n}', '1')
          .replace('{delivery_id}', ABSENT)
          .replace(/\{\w+\}/, encodeURIComponent(value)),
        {
          token: by,
          ...(body ? { body: body(value) } : {}),
          ...(bytes
            ? { body: bytes.toString(), headers: { 'content-type': 'application/octet-stream', 'upload-offset': '0' } }
            : {}),
        },
      );
    const [stolen, absent] = [await ask(theirs), await ask(ABSENT)];
    expect([stolen.status, { ...stolen.body, request_id: '' }], id).toEqual([404, { ...absent.body, request_id: '' }]);
  }
  expect(await snapshot()).toEqual(before);
});
