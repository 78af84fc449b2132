import { describe, expect, it } from 'vitest';
import { type Here, inWords, isWhole, type KeptProof, monthsOf } from './proof.ts';

const january = { month: '2025-01', count: 2, cents: 9900 };
const kept = (given: Partial<KeptProof> = {}): KeptProof => ({
  lines: 2,
  added: 2,
  known: 0,
  rejected: 0,
  cents: 9900,
  file: { months: [january], unpriced: 0, unpricedCents: 0, undated: 0 },
  reasons: [],
  time_zone: 'UTC',
  ...given,
});
const here = (given: Partial<Here> = {}): Here => ({
  count: 2,
  months: [january],
  open: 0,
  redeemed: 2,
  revoked: 0,
  ...given,
});

describe('a proof', () => {
  it('is one sentence', () => {
    expect(inWords(kept(), here(), 'redeemed')).toBe('2 of 2 serials, $99.00 of $99.00');
    const refused = kept({
      lines: 4015,
      added: 4012,
      rejected: 3,
      cents: 18_322_050,
      file: {
        months: [{ month: '2025-01', count: 4012, cents: 18_322_050 }],
        unpriced: 0,
        unpricedCents: 0,
        undated: 0,
      },
      reasons: [{ reason: 'No product is named "…".', count: 3 }],
    });
    const now = here({ count: 4012, months: [{ month: '2025-01', count: 4012, cents: 18_322_050 }] });
    expect(inWords(refused, now, 'redeemed')).toBe(
      '4,012 of 4,015 serials, $183,220.50 of $183,220.50; 3 refused (3: No product is named "…".)',
    );
    const four = ['One.', 'Two.', 'Three.', 'Four.'].map((reason) => ({ reason, count: 2 }));
    expect(inWords(kept({ lines: 10, rejected: 8, reasons: four }), here(), 'redeemed')).toContain(
      '8 refused (2: One. 2: Two. 2: Three. 2 for other reasons.)',
    );
    const people = kept({ lines: 3, added: 2, known: 1, cents: null, file: null });
    expect(inWords(people, here({ months: [] }), 'customers')).toBe('2 of 3 customers; 1 known before');
  });

  it('is whole only to the line and to the cent', () => {
    expect(isWhole(kept(), here())).toBe(true);
    expect(isWhole(kept(), here({ count: 1 }))).toBe(false);
    expect(isWhole(kept(), here({ months: [{ ...january, cents: 9899 }] }))).toBe(false);
    expect(isWhole(kept({ lines: 3 }), here())).toBe(false);
    expect(isWhole(kept({ lines: 3, known: 1 }), here())).toBe(true);
    expect(isWhole(kept({ cents: null, file: null }), here({ months: [] }))).toBe(true);
  });

  it('counts what is no longer here', () => {
    expect(inWords(kept(), here({ count: 1, months: [{ ...january, count: 1, cents: 4950 }] }), 'redeemed')).toBe(
      '1 of 2 serials, $49.50 of $99.00; 1 no longer here',
    );
  });

  it('compares month by month, also those that only one side has', () => {
    const file = {
      months: [january, { month: '2025-03', count: 1, cents: 100 }],
      unpriced: 0,
      unpricedCents: 0,
      undated: 0,
    };
    expect(monthsOf(file, [{ month: '2025-02', count: 1, cents: 50 }, january])).toEqual([
      { month: '2025-01', file_count: 2, file_cents: 9900, count: 2, cents: 9900 },
      { month: '2025-02', file_count: 0, file_cents: 0, count: 1, cents: 50 },
      { month: '2025-03', file_count: 1, file_cents: 100, count: 0, cents: 0 },
    ]);
  });
});
