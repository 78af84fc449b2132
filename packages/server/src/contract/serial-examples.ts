import type { Example } from './example.ts';

const id = '019cd0a0-0000-7000-8000-00000000000a';
const product_id = '019cd0a0-0000-7000-8000-000000000001';
const batch_id = '019cd0a0-0000-7000-8000-0000000000b1';
const code = 'PRSM-7K4Q-9XWT-2HBC';
const developer_id = '019cd0a0-0000-7000-8000-0000000000d0';
const made = '2026-03-01T09:30:00.000Z';
const redeemed_at = '2026-03-10T12:00:00.000Z';
const offer = { promo_price: null, promo_start: null, promo_expires: null, expires_at: null };
const batchFields = { reseller_id: null, batch_tag: 'spring', notes: null };

const available = {
  id,
  code,
  serial: code,
  product: 'Prism Delay',
  product_id,
  product_name: 'Prism Delay',
  image_url: null,
  batch_id,
  ...offer,
  ...batchFields,
  revoked: false,
  status: 'active',
  redeemed_at: null,
  handed_out_at: null,
  download_count: 0,
  created_at: made,
};
const redeemed = { ...available, redeemed_at, download_count: 2 };
const customer = {
  id: '019cd0a0-0000-7000-8000-0000000000c1',
  first_name: 'Nina',
  last_name: 'Simone',
  email: 'nina@example.com',
};
const refund = {
  id: '019cd0a0-0000-7000-8000-0000000000f5',
  serial_id: id,
  kind: 'refund',
  amount: -9,
  commission: -1.8,
  reason: 'Late update',
  month: '2026-04',
  created_at: '2026-04-02T10:00:00.000Z',
  refunded: 9,
  refundable: 90,
};
const batch = {
  id: batch_id,
  product_id,
  product_name: 'Prism Delay',
  image_url: null,
  reseller_name: null,
  origin: 'generate',
  quantity: 500,
  open: 480,
  handed_out: 0,
  redeemed: 19,
  revoked: 1,
  at_least: [],
  prefix: 'PRSM',
  ...offer,
  ...batchFields,
  created_at: made,
};
const problem = (status: number, code: string, title: string, message: string) => ({
  type: `/problems/${code}`,
  title,
  status,
  detail: message,
  code,
  message,
  request_id: '01a20142-807d-7000-804c-6b54651759ae-l',
});
const notFound = problem(404, 'not_found', 'Not found', 'There is no such thing, or it is not yours.');

const machines = [
  {
    id: '019cd0a0-0000-7000-8000-0000000000d1',
    machine_id: 'L896D48A88',
    label: 'Studio Mac',
    os: 'macOS 26.1',
    version: '1.4.0',
    created_at: redeemed_at,
    last_seen_at: '2026-03-12T08:15:00.000Z',
    released_at: null,
  },
];
const history = [
  { kind: 'redeemed', at: redeemed_at, detail: null, amount: null },
  { kind: 'made', at: made, detail: null, amount: null },
];

export const serialExamples: Record<string, Example> = {
  generateSerials: {
    request: { product_id, quantity: 500, prefix: 'PRSM', batch_tag: 'spring' },
    answers: {
      200: { batch_id: null, count: 500, serials: [], dry_run: true },
      201: {
        batch_id,
        count: 1,
        serials: [{ id, code, product_id, ...offer, ...batchFields }],
        dry_run: false,
      },
      404: notFound,
    },
  },
  listSerials: { answers: { 200: { rows: [available], total: 1, total_exact: true, next_cursor: null } } },
  getSerial: {
    answers: {
      200: {
        ...redeemed,
        order: null,
        standing: {
          code: 'in_order',
          message: 'Everything is in order',
          since: null,
          serial_id: id,
          serial: code,
          product_id,
          product_name: 'Prism Delay',
          mends: [],
          also: [],
        },
        reseller_name: null,
        customer,
        final_price: 99,
        refunded: 9,
        refundable: 90,
        refunds: [
          {
            id: refund.id,
            kind: refund.kind,
            amount: refund.amount,
            commission: refund.commission,
            reason: refund.reason,
            created_at: refund.created_at,
          },
        ],
        refresh_cost: 0.05,
        redeem_link: `https://licenses.example.com/redeem?dev=${developer_id}&serial=${code}&email=nina%40example.com`,
        country: 'US',
        max_activations: 3,
        seats_used: 1,
        machines,
        machines_cursor: null,
        history,
        history_cursor: null,
      },
      404: notFound,
    },
  },
  listSerialHistory: { answers: { 200: { rows: history, next_cursor: null }, 404: notFound } },
  listSerialMachines: { answers: { 200: { rows: machines, next_cursor: null }, 404: notFound } },
  revokeSerial: { answers: { 200: { ...available, revoked: true, status: 'revoked' }, 404: notFound } },
  reassignSerial: { answers: { 200: available, 404: notFound } },
  refundSerial: {
    request: { amount: 9, reason: 'Late update', kind: 'refund', revoke: false },
    answers: { 201: refund, 404: notFound },
  },
  reinstateSerial: {
    request: { reason: 'Paid again', reassign: false },
    answers: {
      201: {
        ...refund,
        kind: 'reinstatement',
        amount: 9,
        commission: 1.8,
        reason: 'Paid again',
        refunded: 0,
        refundable: 99,
      },
      404: notFound,
    },
  },
  refreshSerial: { answers: { 200: { ...redeemed, download_count: 0, refresh_cost: 0.5 }, 404: notFound } },
  changeImport: {
    request: {
      columns: [{ index: 3, column: 'Total Price' }],
      values: { Product: 'Prism Delay' },
      answers: { decimal: 'comma', date: 'today' },
    },
    answers: {},
  },
  changeSerials: {
    request: { action: 'revoke', ids: [id, '019cd0a0-0000-7000-8000-00000000000b'], dry_run: false },
    answers: { 200: { count: 2, skipped: 0, dry_run: false, changed_at: '2026-03-14T09:26:53.589Z' } },
  },
  undoSerialChange: {
    request: { changed_at: '2026-03-14T09:26:53.589Z' },
    answers: { 200: { count: 2, skipped: 0, dry_run: false, changed_at: '2026-03-14T09:27:04.120Z' } },
  },
  transferSerial: {
    request: { email: 'otis@example.com', first_name: 'Otis', last_name: 'Redding' },
    answers: {
      200: {
        id,
        customer: {
          id: '019cd0a0-0000-7000-8000-00000000000c',
          first_name: 'Otis',
          last_name: 'Redding',
          email: 'otis@example.com',
        },
        changed: true,
      },
      404: notFound,
    },
  },
  resendSerialEmail: { answers: { 200: { email: 'nina@example.com' }, 404: notFound } },
  setSerialSeats: {
    request: { max_activations: 5 },
    answers: { 200: { id, own: true, max_activations: 5, seats_used: 1, remaining: 4 }, 404: notFound },
  },
  releaseSerialMachine: {
    answers: {
      200: { ok: true, released: true, serial_id: id, max_activations: 3, seats_used: 0, remaining: 3 },
      404: notFound,
    },
  },
  listAvailableSerials: {
    answers: {
      200: {
        regular: {},
        promos: { 'Prism Delay · spring': { serials: [available] } },
        counts: { regular: {}, promos: { 'Prism Delay · spring': 1 } },
        groups: [{ name: 'Prism Delay · spring', kind: 'promo', product_id, product_name: 'Prism Delay', count: 1 }],
        total: 1,
      },
    },
  },
  listSerialChoices: {
    answers: {
      200: {
        product: [{ value: product_id, label: 'Prism Delay', count: 480, exact: true }],
        reseller: [{ value: 'none', label: null, count: 480, exact: true }],
        batch: [{ value: batch_id, label: 'spring', count: 480, exact: true }],
        status: [{ value: 'available', label: null, count: 461, exact: true }],
      },
    },
  },
  listBatchChoices: {
    answers: {
      200: {
        product: [{ value: product_id, label: 'Prism Delay', count: 3, exact: true }],
        reseller: [{ value: 'none', label: null, count: 3, exact: true }],
        status: [{ value: 'open', label: null, count: 2, exact: true }],
      },
    },
  },
  changeMatchingSerials: {
    request: { action: 'delete', filter: { status: 'expired' }, dry_run: true },
    answers: { 200: { count: 12, skipped: 0, dry_run: true } },
  },
  listRedeemedChoices: {
    answers: {
      200: {
        product: [{ value: product_id, label: 'Prism Delay', count: 19, exact: true }],
        reseller: [{ value: 'none', label: null, count: 19, exact: true }],
        batch: [{ value: batch_id, label: 'spring', count: 19, exact: true }],
        country: [{ value: 'US', label: null, count: 12, exact: true }],
        status: [{ value: 'active', label: null, count: 18, exact: true }],
      },
    },
  },
  changeRedeemedSerials: {
    request: { action: 'reset_downloads', filter: { status: 'download_limit' }, dry_run: true },
    answers: { 200: { count: 3, skipped: 0, cost: 0.15, dry_run: true } },
  },
  listRedeemedSerials: {
    answers: {
      200: {
        rows: [
          {
            ...redeemed,
            customer,
            ...customer,
            id,
            total: 99,
            final_price: 99,
            sale_price: null,
            price: 99,
            country: 'US',
            standing: { code: 'in_order', message: 'Everything is in order', since: null },
          },
        ],
        total: 1,
        total_exact: true,
        page: 1,
        page_size: 50,
        next_cursor: null,
        time_zone: 'America/New_York',
      },
    },
  },
  listSerialGroup: { answers: { 200: { rows: [available], total: 1, total_exact: true, next_cursor: null } } },
  deleteSerialGroup: {
    answers: { 200: { message: '480 serials were deleted.', count: 480, dry_run: false }, 404: notFound },
  },
  listBatches: { answers: { 200: { rows: [batch], total: 1, next_cursor: null } } },
  getBatch: { answers: { 200: batch, 404: notFound } },
  changeBatch: { request: { expires_at: '2026-12-31' }, answers: { 200: batch, 404: notFound } },
  getBatchFunnel: {
    answers: {
      200: {
        batch_id,
        stages: [
          { stage: 'generated', count: 500, share: 100, of_previous: null },
          { stage: 'redeemed', count: 19, share: 3.8, of_previous: 3.8 },
          { stage: 'activated', count: 15, share: 3, of_previous: 78.95 },
        ],
      },
      404: notFound,
    },
  },
  revokeBatch: { answers: { 200: { count: 480, dry_run: false }, 404: notFound } },
};
