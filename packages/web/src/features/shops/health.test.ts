import { describe, expect, it } from 'vitest';
import type { Shop } from '#lib/types.ts';
import { healthOf, isRefusing, missedText, waitingOf } from './health.ts';

const AT = Date.parse('2026-11-26T10:00:00Z');

type Judged = Parameters<typeof waitingOf>[0];
const shopOf = (fields: Partial<Shop> = {}): Judged => ({
  kind: 'woocommerce',
  mode: 'live',
  state: 'active',
  trouble: null,
  has_secret: true,
  last_event_at: null,
  refused_at: null,
  refused_why: null,
  unmapped: 0,
  waiting: 0,
  ...fields,
});
const wait = (shop: Judged, newest?: Parameters<typeof waitingOf>[1], after = 0) =>
  waitingOf(shop, newest, { since: AT, now: AT + after });

describe('a shop that waits for its first report', () => {
  it('listens, and after a minute shows what to check', () => {
    expect(wait(shopOf())).toMatchObject({ step: 'listening' });
    expect(wait(shopOf(), undefined, 59_000)).toMatchObject({ step: 'listening' });
    const silent = wait(shopOf(), undefined, 60_000);
    expect(silent).toMatchObject({ step: 'silent' });
    expect('checks' in silent && silent.checks.join(' ')).toContain('to another address');
  });

  it('asks for a secret first where the shop has its own, and for none where nothing is signed', () => {
    expect(wait(shopOf({ kind: 'shopify', has_secret: false }))).toMatchObject({
      step: 'secret',
      text: expect.stringContaining('signing key'),
    });
    expect(wait(shopOf({ kind: 'gumroad', has_secret: false }))).toMatchObject({ step: 'listening' });
  });

  it('shows that something was signed with another secret, by what the shop calls it', () => {
    const refused = {
      refused_at: '2026-11-26T09:59:00Z',
      refused_why: 'It is signed with another secret, or its body was changed on the way.',
    };
    const ours = wait(shopOf(refused));
    expect(ours).toMatchObject({ step: 'refused', text: expect.stringContaining('another secret') });
    expect('checks' in ours && ours.checks[0]).toContain('The shop has another Secret');
    const theirs = wait(shopOf({ ...refused, kind: 'shopify' }));
    expect('checks' in theirs && theirs.checks[0]).toContain('Copy the signing key from the shop again');
  });

  it('shows a test that came to a live shop, and a sale that came to a shop for tests', () => {
    const test = {
      event: 'orders/create',
      state: 'ignored',
      why: 'It is of the shop’s test mode, and this is a live shop.',
    } as const;
    const live = wait(shopOf({ last_event_at: '2026-11-26T09:59:00Z' }), test);
    expect(live).toMatchObject({ step: 'ignored' });
    expect('checks' in live && live.checks[0]).toContain('connect a second shop for tests');
    const sale = { ...test, why: 'It is a live sale, and this shop is for tests.' };
    const forTests = wait(shopOf({ mode: 'test', last_event_at: '2026-11-26T09:59:00Z' }), sale);
    expect('checks' in forTests && forTests.checks[0]).toContain('switch this shop to live in its settings');
  });

  it('has arrived with the first report that is used, also after an earlier refusal', () => {
    const done = { event: 'order.created', state: 'done', why: null } as const;
    const mended = shopOf({ refused_at: '2026-11-26T09:58:00Z', last_event_at: '2026-11-26T09:59:00Z' });
    expect(isRefusing(mended)).toBe(false);
    expect(wait(mended, done)).toMatchObject({ step: 'arrived' });
    expect(wait(mended, { ...done, state: 'received' })).toMatchObject({ step: 'arrived' });
    const broken = shopOf({ refused_at: '2026-11-26T09:59:30Z', last_event_at: '2026-11-26T09:59:00Z' });
    expect(wait(broken, done)).toMatchObject({ step: 'refused' });
  });
});

describe('the state of a shop', () => {
  it.each([
    ['Paused', { state: 'off', trouble: 'x' }],
    ['Attention', { state: 'attention', trouble: 'The user who owns the webhook is gone.' }],
    ['No secret', { kind: 'stripe', has_secret: false }],
    ['Refusing', { refused_at: '2026-11-26T10:00:00Z', refused_why: 'x' }],
    ['Waiting', {}],
    ['Unmapped', { last_event_at: '2026-11-26T10:00:00Z', unmapped: 1 }],
    ['Working', { last_event_at: '2026-11-26T10:00:00Z' }],
  ] as const)('is %s', (word, fields) => {
    expect(healthOf(shopOf(fields)).word).toBe(word);
  });
});

it('what a shop did not report is sales, refunds or both, and nothing where all was reported or nobody has compared', () => {
  const missed = (orders: number, refunds: number) => missedText({ missed: { orders, refunds, last_at: null } });
  expect([missed(2, 1), missed(1, 0), missed(0, 2)]).toEqual([
    '2 sales and refunds of 1 order',
    '1 sale',
    'refunds of 2 orders',
  ]);
  expect([missed(0, 0), missedText({ missed: null })]).toEqual([null, null]);
});
