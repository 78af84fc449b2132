import type { z } from 'zod';
import type { catalog, EventType } from './catalog.ts';

type Samples = { [Type in EventType]: z.input<(typeof catalog)[Type]['data']> };

const id = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const at = '2026-03-10T12:00:00.000Z';
const serial = { serial_id: id(1), code: 'PRSM-7K2M-Q9XD-3F6T', product_id: id(2) };
const license = { serial_id: id(1), product_id: id(2), machine: 'a41f' };
const partnership = { partnership_id: id(5), developer_id: id(6), reseller_id: id(7) };
const payout = {
  payout_id: id(8),
  number: '2026-0007',
  developer_id: id(6),
  partnership_id: id(5),
  month: '2026-02-01',
  due: 343,
};

const order = {
  order_id: id(11),
  shop_id: id(12),
  number: '#1001',
  state: 'issued',
  currency: 'EUR',
  paid: '98.00',
  paid_usd: 106.35,
  serials: 2,
  missing: 0,
  reasons: [],
  test: false,
  email: 'nina@example.com',
  first_name: 'Nina',
  last_name: 'Simone',
};

/** One of each, as it is sent: for documentation, and for what is sent by hand. */
export const samples: Samples = {
  'batch.generated': { batch_id: id(3), product_id: id(2), partnership_id: null, quantity: 100, batch_tag: 'spring' },
  'batch.revoked': { batch_id: id(3), product_id: id(2), quantity: 88 },
  'batch.reassigned': { batch_id: id(3), product_id: id(2), quantity: 88 },
  'serial.redeemed': {
    ...serial,
    developer_id: id(6),
    customer_id: id(4),
    partnership_id: null,
    product_name: 'Prism Delay',
    source: 'redeem',
    price: 49,
    commission: 0,
    redeemed_at: at,
    email: 'nina@example.com',
    first_name: 'Nina',
    last_name: 'Simone',
  },
  'serial.revoked': { ...serial, revoked_at: at },
  'serial.reassigned': { ...serial, reassigned_at: at },
  'serial.refreshed': { ...serial, cost: 0, refreshed_at: at },
  'import.finished': { import_id: id(9), kind: 'available', state: 'complete', added: 480, rejected: 2 },
  'stock.low': {
    product_id: id(2),
    developer_id: id(6),
    partnership_id: null,
    product_name: 'Prism Delay',
    available: 9,
    threshold: 10,
  },
  'license.activated': { ...license, version: '1.4.2' },
  'license.deactivated': license,
  'license.transferred': { ...license, from_machine: '09be' },
  'trial.started': { product_id: id(2), machine: 'a41f', ends_at: at },
  'license.refused': {
    count: 14,
    from: at,
    refusals: [
      { serial_id: id(1), product_id: id(2), action: 'activate', status: 'seat_limit', count: 12 },
      { serial_id: null, product_id: id(2), action: 'trial', status: 'trial_ended', count: 2 },
    ],
  },
  'lease.ended': { ...license, ended_at: at },
  'customer.created': { customer_id: id(4), email: 'nina@example.com', first_name: 'Nina', last_name: 'Simone' },
  'customer.erased': { customer_id: id(4) },
  'product.published': { product_id: id(2), name: 'Prism Delay' },
  'product.unlocked': {
    product_id: id(2),
    name: 'Prism Delay',
    audience: 'owners',
    url: `https://tonerow.example.com/api/redeem/unlocks/${id(13)}`,
  },
  'order.received': { ...order, state: 'paid', serials: 0, missing: 2 },
  'order.issued': order,
  'order.attention': { ...order, state: 'attention', serials: 0, reasons: ['unmapped'] },
  'order.refunded': { ...order, state: 'refunded', serials: 0 },
  'file.uploaded': { file_id: id(10), name: 'PrismDelay-1.4.2.pkg', size: 48_120_331 },
  'partnership.accepted': partnership,
  'partnership.ended': partnership,
  'deal.requested': {
    request_id: id(11),
    product_id: id(2),
    partnership_id: id(5),
    developer_id: id(6),
    quantity: 50,
    price: 39,
  },
  'payout.created': payout,
  'payout.confirmed': payout,
  'payout.paid': { ...payout, amount: 343, outstanding: 0 },
  'plan.usage': { plan: 'starter', month: '2026-03-01', percent: 80, redemptions: 400, redemption_quota: 500 },
  'key.rotated': { key_id: id(12), successor_id: id(13), label: 'Prism Delay 1.x', expires_at: at },
  'webhook.test': { endpoint_id: null, message: 'It works.' },
};
