import { describe, expect, it } from 'vitest';
import type { OrderSnapshot, ReversalSnapshot } from '../connectors/port.ts';
import { minorOf } from '../money.ts';
import { converge, type OrderFacts, type Outcome, type UnitFacts, type Want } from './converge.ts';
import { type KnownOrder, merge, unknownOrder } from './merge.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 10, minute));

type Sale = { order: OrderSnapshot };
type News = Sale | { reversal: ReversalSnapshot };

const sale = (minute: number, fields: Partial<OrderSnapshot> = {}): Sale => ({
  order: {
    id: '#1001',
    number: '#1001',
    versionAt: at(minute),
    paidAt: null,
    canceledAt: null,
    isTest: false,
    currency: 'USD',
    email: 'nina@example.com',
    firstName: 'Nina',
    lastName: null,
    language: 'de-DE',
    country: 'DE',
    lines: [
      { id: '1', keys: ['GLIDE'], sku: 'GLIDE', name: 'Glide', quantity: 2, netMinor: 9801 },
      { id: '2', keys: ['PRISM'], sku: 'PRISM', name: 'Prism', quantity: 1, netMinor: 2900 },
    ],
    ...fields,
  },
});
const back = (key: string, fields: Partial<ReversalSnapshot> = {}): News => ({
  reversal: {
    orderId: '#1001',
    key,
    kind: 'refund',
    isWhole: false,
    lines: null,
    amount: null,
    undoes: null,
    happenedAt: at(9),
    ...fields,
  },
});

/** An order as it is kept between two deliveries: a unit that was there stays, in the state that it was brought to. */
class Kept {
  known: KnownOrder = unknownOrder('#1001');
  readonly reversals = new Map<string, ReversalSnapshot>();
  readonly units = new Map<string, UnitFacts & { issued: boolean }>();
  readonly redeemed = new Set<string>();
  issued = 0;
  last: Outcome | undefined;

  readonly settings: Pick<OrderFacts, 'onRefund' | 'onDispute'>;

  constructor(settings: Pick<OrderFacts, 'onRefund' | 'onDispute'>) {
    this.settings = settings;
  }

  hear(news: News): this {
    if ('order' in news) this.known = merge(this.known, news.order, () => null);
    else if (!this.reversals.has(news.reversal.key)) this.reversals.set(news.reversal.key, news.reversal);
    return this.settle();
  }

  settle(): this {
    const { known, settings } = this;
    const outcome = converge({
      ...settings,
      isPaid: known.paidAt !== null,
      isCanceled: known.canceledAt !== null,
      lines: known.lines.map((line) => ({
        id: line.externalId,
        externalId: line.externalId,
        quantity: line.quantity,
        paidQuantity: line.paidQuantity,
        productIds: [line.sku as string],
        units: 1,
        isIgnored: false,
        usdCents: line.usdCents,
        netMinor: line.netMinor,
        grossMinor: line.grossMinor,
      })),
      reversals: [...this.reversals.values()].map(({ amount, isNet = false, ...rest }) => ({
        ...rest,
        isNet,
        amountMinor: amount === null ? null : minorOf(amount, 'USD'),
      })),
      units: [...this.units].map(([place, unit]) => ({ ...unit, isRedeemed: this.redeemed.has(place) })),
    });
    for (const { lineId, n, want } of outcome.wishes) {
      const place = `${lineId} ${n}`;
      const unit = this.units.get(place) ?? {
        lineId,
        n,
        state: 'wanted' as const,
        isRedeemed: false,
        decision: null,
        issued: false,
      };
      if (want === 'have' && !unit.issued) this.issued += 1;
      const issued = unit.issued || want === 'have';
      this.units.set(place, { ...unit, issued, state: STATES[want] });
    }
    this.last = outcome;
    return this;
  }

  /** The facts that must be the same, whatever came first. Which of two equal units a refund took may differ. */
  get result() {
    const outcome = this.last as Outcome;
    const wants: Record<string, number> = {};
    for (const { lineId, want } of outcome.wishes) wants[`${lineId} ${want}`] = (wants[`${lineId} ${want}`] ?? 0) + 1;
    const sum = (of: (wish: Outcome['wishes'][number]) => number) =>
      outcome.wishes.reduce((total, wish) => total + of(wish), 0);
    return {
      wants,
      paid: sum(({ usdCents }) => usdCents ?? 0),
      back: sum(({ backCents, usdCents }) => backCents ?? usdCents ?? 0),
      reversals: Object.fromEntries([...outcome.reversals].sort()),
      questions: outcome.questions.map(({ reason }) => reason).sort(),
      isRefunded: outcome.isRefunded,
      isDisputed: outcome.isDisputed,
    };
  }
}

const STATES = {
  have: 'delivered',
  suspended: 'suspended',
  gone: 'revoked',
  kept: 'kept',
  ask: 'delivered',
} as const satisfies Record<Want, UnitFacts['state']>;

function* permutations<T>(all: readonly T[]): Generator<T[]> {
  if (all.length <= 1) return yield [...all];
  for (const [n, one] of all.entries())
    for (const rest of permutations([...all.slice(0, n), ...all.slice(n + 1)])) yield [one, ...rest];
}

const hearing = (news: readonly News[], settings: Pick<OrderFacts, 'onRefund' | 'onDispute'> = asking) =>
  news.reduce((order, each) => order.hear(each), new Kept(settings));
const asking = { onRefund: 'ask', onDispute: 'suspend' } as const;

const created = sale(1);
const paid = sale(2, { paidAt: at(2) });
const edited = sale(3, {
  paidAt: at(2),
  lines: [
    { id: '1', keys: ['GLIDE'], sku: 'GLIDE', name: 'Glide', quantity: 3, netMinor: 14_700 },
    { id: '2', keys: ['PRISM'], sku: 'PRISM', name: 'Prism', quantity: 1, netMinor: 2900 },
  ],
});
const partial = back('r1', { lines: [{ id: '1', quantity: 1 }] });
const refund = back('r2', { isWhole: true });
const chargeback = back('d1', { kind: 'chargeback', isWhole: true });
const won = back('won:d1', { kind: 'reinstatement', isWhole: true, undoes: 'd1' });

describe('whatever comes first, an order ends in the same', () => {
  it.each([
    [
      'created, paid, edited, partial refund, refund, chargeback, won',
      [created, paid, edited, partial, refund, chargeback, won],
    ],
    ['without the refund of all', [created, paid, edited, partial, chargeback, won]],
    ['with a dispute that is open', [created, paid, edited, partial, chargeback]],
    ['two equal partial refunds', [created, paid, partial, back('r3', { lines: [{ id: '1', quantity: 1 }] })]],
    [
      'amounts that name nothing',
      [paid, edited, partial, back('a1', { amount: '10.01' }), back('a2', { amount: '0.02' })],
    ],
    [
      'amounts with tax, of versions with other sums, and without',
      [
        sale(2, { paidAt: at(2), grossMinor: 15_114 }),
        sale(3, { paidAt: at(2), grossMinor: 20_944, lines: edited.order.lines }),
        partial,
        back('a1', { amount: '11.91' }),
        back('a2', { amount: '5.00', isNet: true }),
      ],
    ],
    [
      'what was refunded in all by then',
      [paid, edited, partial, back('cum:2000', { amount: '20.00' }), back('cum:5000', { amount: '50.00' })],
    ],
    [
      'a refund that failed',
      [created, paid, partial, back('undo', { kind: 'reinstatement', isWhole: true, undoes: 'r1' })],
    ],
  ])('%s', (_what, news) => {
    const results = new Set<string>();
    for (const order of permutations(news)) results.add(JSON.stringify(hearing(order).result));
    expect([...results]).toHaveLength(1);
  });

  it('and twice of everything is once', () => {
    const news = [created, paid, edited, partial, chargeback, won];
    expect(hearing([...news, ...news].reverse()).result).toEqual(hearing(news).result);
  });
});

describe('an order', () => {
  const wants = (...news: News[]) => hearing(news).result.wants;

  it('gives nothing until it is paid, and everything then', () => {
    expect(wants(created)).toEqual({});
    expect(wants(created, paid)).toEqual({ '1 have': 2, '2 have': 1 });
  });

  it('that is edited up gives more once that is paid, and edited down takes nothing back but asks', () => {
    const unpaid = sale(3, { lines: (edited as { order: OrderSnapshot }).order.lines });
    expect(wants(paid, unpaid)).toEqual({ '1 have': 2, '2 have': 1 });
    expect(wants(paid, edited)).toEqual({ '1 have': 3, '2 have': 1 });
    const less = sale(4, {
      paidAt: at(2),
      lines: [{ id: '1', keys: ['GLIDE'], sku: 'GLIDE', name: 'Glide', quantity: 1, netMinor: 4900 }],
    });
    const { wants: kept, questions, paid: worth } = hearing([paid, less]).result;
    expect([kept, questions, worth]).toEqual([{ '1 have': 2, '2 have': 1 }, ['edited_down'], 12_701]);
  });

  it('that is canceled after it was paid takes nothing back but asks, and a refund settles it', () => {
    const canceled = sale(5, { paidAt: at(2), canceledAt: at(5) });
    expect(hearing([paid, canceled]).result).toMatchObject({ questions: ['canceled'], wants: { '1 have': 2 } });
    expect(hearing([paid, canceled, refund]).result).toMatchObject({
      questions: [],
      wants: { '1 gone': 2, '2 gone': 1 },
    });
  });

  it('of which a piece is refunded loses what nobody has redeemed, and asks about what somebody has', () => {
    const order = hearing([paid]);
    order.redeemed.add('1 1');
    expect(order.hear(partial).result).toMatchObject({
      wants: { '1 gone': 1, '1 have': 1, '2 have': 1 },
      questions: [],
    });
    const both = hearing([paid]);
    both.redeemed.add('1 0').add('1 1');
    expect(both.hear(partial).result).toMatchObject({
      wants: { '1 ask': 1, '1 have': 1 },
      questions: ['refund_asks'],
      reversals: { r1: 'asked' },
      back: 4900,
    });
  });

  it.each([
    ['revoke', { '1 gone': 1, '1 have': 1, '2 have': 1 }],
    ['keep', { '1 kept': 1, '1 have': 1, '2 have': 1 }],
  ] as const)('does with redeemed serials of a partial refund what its shop is set to: %s', (onRefund, expected) => {
    const order = hearing([paid], { ...asking, onRefund });
    order.redeemed.add('1 0').add('1 1');
    expect(order.hear(partial).result.wants).toEqual(expected);
  });

  it('that is refunded as a whole, at once or in parts, loses all, redeemed or not', () => {
    const order = hearing([paid]);
    order.redeemed.add('1 0').add('1 1').add('2 0');
    expect(order.hear(refund).result.wants).toEqual({ '1 gone': 2, '2 gone': 1 });
    const parts = hearing([paid]);
    parts.redeemed.add('1 0').add('1 1').add('2 0');
    parts.hear(partial).hear(
      back('r3', {
        lines: [
          { id: '1', quantity: 1 },
          { id: '2', quantity: 1 },
        ],
      }),
    );
    expect(parts.result).toMatchObject({ wants: { '1 gone': 2, '2 gone': 1 }, isRefunded: true, back: 12_701 });
  });

  it('of which an amount is refunded loses no serial: what was paid is less, by the worth of each', () => {
    const order = hearing([paid, back('a1', { amount: '12.70' })]);
    expect(order.last?.wishes.map(({ want, usdCents, backCents }) => [want, usdCents, backCents])).toEqual([
      ['have', 4901, 491],
      ['have', 4900, 490],
      ['have', 2900, 289],
    ]);
    expect(order.result).toMatchObject({ questions: ['amount_refund'], reversals: { a1: 'asked' } });
    // the shop reports the amount first, and that it was all of it afterwards
    expect(order.hear(refund).result).toMatchObject({ questions: [], reversals: { a1: 'applied' }, isRefunded: true });
  });

  it('that is known with tax loses the part of its worth that an amount with tax is of all that was paid, and one without as it is', () => {
    const known = sale(2, { paidAt: at(2), grossMinor: 15_114 });
    expect(hearing([known, back('a1', { amount: '75.57' })]).result.back).toBe(6351);
    expect(hearing([known, back('a1', { amount: '63.51', isNet: true })]).result.back).toBe(6351);
    // a version of which nothing more is known changes nothing
    const later = { order: { ...known.order, versionAt: at(4), grossMinor: null, lines: [] } };
    expect(hearing([known, later, back('a1', { amount: '75.57' })]).result.back).toBe(6351);
  });

  it('of which a shop reports what was refunded in all loses the largest of that, and what is named besides', () => {
    const order = hearing([paid, back('cum:1000', { amount: '10.00' }), back('cum:2540', { amount: '25.40' })]);
    expect(order.result.back).toBe(2540);
    expect(order.hear(back('a1', { amount: '1.00' })).result.back).toBe(2640);
  });

  it('whose codes are wanted before its price is known has none until that is told, whatever comes first', () => {
    const wanted = sale(0, {
      versionAt: new Date(0),
      paidAt: at(1),
      lines: [{ id: '1', keys: ['GLIDE'], sku: 'GLIDE', name: 'Glide', quantity: 2, netMinor: 0, isUnpriced: true }],
    });
    expect(hearing([wanted]).last?.wishes.map(({ want, usdCents }) => [want, usdCents])).toEqual([
      ['have', null],
      ['have', null],
    ]);
    const told = hearing([wanted, paid]).result;
    expect([told.paid, told.wants, told.questions]).toEqual([12_701, { '1 have': 2, '2 have': 1 }, []]);
    expect(hearing([paid, wanted]).result).toEqual(told);
    // a price that is known before the payment is kept
    const kept = hearing([sale(0), wanted]).last?.wishes.filter(({ lineId }) => lineId === '1');
    expect(kept?.map(({ usdCents }) => usdCents)).toEqual([4901, 4900]);
    // two of them, for two products of one order
    const other = sale(0, {
      versionAt: new Date(0),
      paidAt: at(1),
      lines: [{ id: '2', keys: ['PRISM'], sku: 'PRISM', name: 'Prism', quantity: 1, netMinor: 0, isUnpriced: true }],
    });
    expect(hearing([wanted, other]).result).toMatchObject({ wants: { '1 have': 2, '2 have': 1 }, questions: [] });
    expect(hearing([other, wanted, paid]).result).toEqual(told);
  });

  it('that is disputed is suspended, redeemed or not, and a won dispute gives the same back', () => {
    const order = hearing([paid]);
    order.redeemed.add('1 0');
    order.hear(chargeback);
    expect(order.result).toMatchObject({
      wants: { '1 suspended': 2, '2 suspended': 1 },
      isDisputed: true,
      back: 12_701,
    });
    order.hear(won);
    expect(order.result).toMatchObject({ wants: { '1 have': 2, '2 have': 1 }, isDisputed: false, back: 0 });
    expect(order.issued).toBe(3);
  });

  it('that somebody only asked about is flagged, and keeps everything', () => {
    const asked = back('i1', { kind: 'inquiry', isWhole: true });
    expect(hearing([paid, asked]).result).toMatchObject({ questions: ['inquiry'], wants: { '1 have': 2 }, back: 0 });
  });

  it('for which nothing was paid counts as paid, and costs nothing', () => {
    const free = sale(2, {
      paidAt: at(2),
      lines: [{ id: '1', keys: [], sku: 'GLIDE', name: 'Glide', quantity: 2, netMinor: 0 }],
    });
    expect(hearing([free]).last?.wishes.map(({ want, usdCents }) => [want, usdCents])).toEqual([
      ['have', 0],
      ['have', 0],
    ]);
  });
});
