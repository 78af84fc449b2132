import type { Example } from './examples.ts';

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
  product_name: 'Prism Delay',
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
