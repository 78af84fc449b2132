import type { Example } from './example.ts';

const product_id = '019cd0a0-0000-7000-8000-000000000001';
const developer_id = '019cd0a0-0000-7000-8000-0000000000e1';
const drawn_at = '2026-03-10T12:00:00.000Z';
const expires_at = '2027-12-31T23:59:59.999Z';
const codes = ['PRSM-7K4Q-9XWT-2HBC', 'PRSM-M3VD-84RS-KQ7N'] as const;
const problem = (status: number, code: string, title: string, message: string) => ({
  type: `/problems/${code}`,
  title,
  status,
  detail: message,
  code,
  message,
  request_id: '01a20142-807d-7000-804c-6b54651759ae-l',
});
const notFound = problem(404, 'not_found', 'Not found', 'Draw not found.');

const draw = {
  id: '019cd0a0-0000-7000-8000-0000000000f1',
  reference: 'order-1042',
  developer_id,
  product_id,
  batch_tag: null,
  quantity: 2,
  created_at: drawn_at,
};
const record = {
  ...draw,
  developer_name: 'Row Audio',
  developer_time_zone: 'Europe/Berlin',
  product_name: 'Prism Delay',
  sold_for: null,
  note: null,
  states: { handed_out: 1, redeemed: 1, revoked: 0, returned: 0 },
  serials: [
    { code: codes[0], expires_at, state: 'redeemed', redeemed_at: '2026-03-11T08:15:00.000Z', returned_at: null },
    { code: codes[1], expires_at, state: 'handed_out', redeemed_at: null, returned_at: null },
  ],
};

const download = {
  id: '019cd0a0-0000-7000-8000-0000000000f2',
  downloaded_at: drawn_at,
  developer_id,
  reseller_id: '019cd0a0-0000-7000-8000-0000000000e2',
  developer_name: 'Row Audio',
  reseller_name: 'Plugin Shop',
  product_id,
  product_name: 'Prism Delay',
  codes: 480,
  batches: [{ batch_id: '019cd0a0-0000-7000-8000-0000000000b1', batch_tag: 'spring', codes: 480 }],
};
const counts = {
  given: 500,
  open: 478,
  handed_out: 2,
  redeemed: 19,
  revoked: 1,
  refunds: 1,
  refunded: 24.5,
  refund_rate: 5.26,
};

const offer = {
  product_id,
  product_name: 'Prism Delay',
  developer_id,
  developer_name: 'Row Audio',
  developer_time_zone: 'UTC',
  image_url: null,
  price: 29,
  regular_price: 49,
  available: 38,
  sell_until: '2026-03-31T23:59:59.999Z',
};
const soldRow = {
  reference: 'till-20260310-7k4q9xwt',
  developer_id,
  developer_name: 'Row Audio',
  developer_time_zone: 'UTC',
  product_id,
  product_name: 'Prism Delay',
  price: 29,
  code: codes[0],
  expires_at,
  state: 'handed_out',
  redeemed_at: null,
  returned_at: null,
  note: 'Booth 12',
  email: { address: 'nina@example.com', state: 'sent' },
  sold_at: drawn_at,
};
const sold = {
  ...soldRow,
  redeem_url: `https://tonerow.example/redeem?dev=${developer_id}#serial=${codes[0]}`,
  qr_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 41 41">…</svg>',
};
const noSale = problem(404, 'not_found', 'Not found', 'Sale not found.');

export const drawExamples: Record<string, Example> = {
  drawSerials: {
    request: { product_id, quantity: 2, reference: 'order-1042' },
    answers: {
      201: { ...draw, codes, serials: codes.map((code) => ({ code, expires_at, returned_at: null })) },
      404: problem(404, 'not_found', 'Not found', 'Product not found.'),
      409: {
        ...problem(
          409,
          'out_of_stock',
          'Not enough serials are left',
          'Only 1 code of "Prism Delay" is left. 2 were asked for, so none was handed out.',
        ),
        available: 1,
      },
      422: problem(
        422,
        'reference_reused',
        'The reference belongs to another draw',
        'The reference "order-1042" belongs to another draw. Repeat it with the same body, or use another reference.',
      ),
    },
  },
  listDraws: { answers: { 200: { rows: [record], total: 1, next_cursor: null } } },
  getDraw: { answers: { 200: record, 404: notFound } },
  returnDraw: {
    request: { codes },
    answers: {
      200: {
        reference: 'order-1042',
        returned: [codes[1]],
        not_returned: [{ code: codes[0], state: 'redeemed' }],
      },
      404: notFound,
    },
  },
  listOffers: { answers: { 200: { rows: [offer], next_cursor: null } } },
  sellSerial: {
    request: {
      product_id,
      reference: 'till-20260310-7k4q9xwt',
      price: 29,
      email: 'nina@example.com',
      note: 'Booth 12',
    },
    answers: {
      201: { ...sold, email: { address: 'nina@example.com', state: 'queued' } },
      404: problem(404, 'not_found', 'Not found', 'Product not found.'),
      409: problem(
        409,
        'price_changed',
        'The price has changed',
        'No code of "Prism Delay" is left at $29.00. It costs $49.00 now.',
      ),
    },
  },
  listHandSales: {
    answers: {
      200: {
        rows: [soldRow],
        since: '2026-03-10T00:00:00.000Z',
        totals: { sales: 1, revenue: 29, returned: 0 },
        next_cursor: null,
      },
    },
  },
  getHandSale: { answers: { 200: sold, 404: noSale } },
  emailHandSale: {
    request: { email: 'nina@example.com' },
    answers: {
      200: { ...sold, email: { address: 'nina@example.com', state: 'queued' } },
      404: noSale,
      422: problem(
        422,
        'domain_rule',
        'A business rule does not allow this',
        'The customer has redeemed this code. Their downloads are on the redemption page.',
      ),
    },
  },
  listStockDownloads: { answers: { 200: { rows: [download], next_cursor: null } } },
  listResellerDownloads: { answers: { 200: { rows: [download], next_cursor: null } } },
  getResellerCirculation: {
    answers: {
      200: {
        totals: counts,
        rows: [
          {
            batch_id: '019cd0a0-0000-7000-8000-0000000000b1',
            product_id,
            product_name: 'Prism Delay',
            batch_tag: 'spring',
            created_at: '2026-03-01T09:30:00.000Z',
            ...counts,
            in_files: 480,
            downloaded_at: drawn_at,
          },
        ],
        next_cursor: null,
      },
      404: problem(404, 'not_found', 'Not found', 'Reseller not found.'),
    },
  },
};
