import type { Example } from './example.ts';

const product_id = '019cd0a0-0000-7000-8000-000000000001';
const developer_id = '019cd0a0-0000-7000-8000-0000000000e1';
const shop_id = '019cd0a0-0000-7000-8000-0000000000d1';
const order_id = '019cd0a0-0000-7000-8000-0000000000d2';
const at = '2026-03-10T12:00:00.000Z';

const shop = {
  id: shop_id,
  kind: 'woocommerce',
  name: 'My shop',
  mode: 'live',
  state: 'active',
  trouble: null,
  address: `https://tonerow.example/api/shop-hooks/${developer_id}/8sJ2kQxZ4mWc7RtYbN1vLp5HgFd9Ae3U`,
  has_credentials: false,
  has_secret: true,
  rotates_until: null,
  delivery: 'us',
  on_refund: 'ask',
  on_dispute: 'suspend',
  on_duplicate: 'warn',
  order_page: `https://tonerow.example/redeem?dev=${developer_id}&order=`,
  last_event_at: null,
  refused_at: null,
  refused_why: null,
  waiting: 0,
  unmapped: 0,
  last_reconciled_at: null,
  missed: null,
  created_at: at,
};
const item = {
  key: 'PRISM',
  name: 'Prism Delay',
  product_ids: [product_id],
  products: [{ id: product_id, name: 'Prism Delay' }],
  units: 1,
  source: 'generate',
  batch_tag: null,
  prefix: 'PRSM',
  expires_at: null,
  renewals: 'ignore',
  seen_at: at,
  mapped_at: at,
};

export const shopExamples: Record<string, Example> = {
  createShop: {
    request: { kind: 'woocommerce', name: 'My shop' },
    answers: { 201: { shop, secret: 'q7Lw2ZxN8sJ4kQmWc9RtYbV1vLp5HgFd' } },
  },
  updateShop: {
    request: { on_refund: 'revoke' },
    answers: { 200: { ...shop, on_refund: 'revoke' } },
  },
  openShop: {
    request: { address: 'https://shop.example.com', key: 'ck_7K4Q9XWT2HBC', secret: 'cs_2HBC9XWT7K4Q' },
    answers: { 200: { ...shop, has_credentials: true } },
  },
  updateShopOrder: { request: { email: 'nina@example.com', note: 'Wrote from her other address' }, answers: {} },
  decideShopOrder: { request: { answer: 'keep' }, answers: {} },
  rotateShopSecret: {
    request: { overlap_hours: 24 },
    answers: {
      200: { shop: { ...shop, rotates_until: '2026-03-11T12:00:00.000Z' }, secret: 'Zx2Lw7qN8sJ4kQmWc9RtYbV1vLp5HgFd' },
    },
  },
  mapShopItems: {
    request: { items: [{ key: 'PRISM', product_ids: [product_id], prefix: 'PRSM' }] },
    answers: { 200: { items: [item] } },
  },
  recordSale: {
    request: {
      order: 'fair-17',
      email: 'nina@example.com',
      currency: 'EUR',
      lines: [{ id: '1', sku: 'PRISM', quantity: 1, paid: '49.00' }],
    },
    answers: {
      201: { order_id, serials: [{ code: 'PRSM-7K4Q-9XWT-2HBC', product_id, line: '1' }], waiting: [] },
    },
  },
};
