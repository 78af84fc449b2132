import { features as F, type Mutant } from '../mutant.ts';

const S = `${F}/shops`;

/** Sales elsewhere, and what a refund takes back. */
export const shops: readonly Mutant[] = [
  {
    fault: 'a free sale costs the list price',
    file: `${F}/products/price.ts`,
    from: 'return prices.paid_cents ?? prices.promo_price_cents',
    to: 'return prices.paid_cents || prices.promo_price_cents',
    tests: [`${F}/products/price.test.ts`],
  },
  {
    fault: 'a refund is booked again with every delivery',
    file: `${S}/orders/settling.ts`,
    from: 'target - unit.refunded_cents',
    to: 'target',
    tests: [`${S}/orders/other-shop.routes.test.ts`],
  },
  {
    fault: 'an edit or a late version takes serials back',
    file: `${S}/orders/merge.ts`,
    from: 'Math.max(old?.paidQuantity ?? 0, paid)',
    to: 'paid',
    tests: [`${S}/orders/convergence.test.ts`],
  },
  {
    fault: 'anybody signs for a shop',
    file: `${S}/connectors/signatures.ts`,
    from: 'if (sameBytes(own, Buffer.from(signature, encoding))) found = true',
    to: 'found = true',
    tests: [`${S}/connections/connections.routes.test.ts`],
  },
];
