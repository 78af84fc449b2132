import { features as F, type Mutant } from '../mutant.ts';

/** Deals, stock handed out, payouts. */
export const resellers: readonly Mutant[] = [
  {
    fault: 'a reseller whose partnership has ended still sees the catalog',
    file: `${F}/deals/catalog/catalog.queries.ts`,
    from: "t.reseller_id = $1 and t.status = 'active'",
    to: 't.reseller_id = $1',
    tests: [`${F}/deals/catalog/catalog.routes.test.ts`],
  },
  {
    fault: 'a reseller reads the codes that others were given',
    file: `${F}/deals/catalog/product-detail.queries.ts`,
    from: 'where b.developer_id = $1 and b.partnership_id = $2 and b.product_id = $3',
    to: 'where b.developer_id = $1 and $2::uuid is not null and b.product_id = $3',
    tests: [`${F}/deals/catalog/catalog.routes.test.ts`],
  },
  {
    fault: 'two batches accept one request for a deal',
    file: `${F}/deals/requests/deal-answers.service.ts`,
    from: "id = $2 and status = 'pending' returning id",
    to: 'id = $2 returning id',
    tests: [`${F}/deals/requests/accepting.routes.test.ts`],
  },
  {
    fault: 'a payment is recorded again when its request is repeated',
    file: `${F}/payouts/payments/payments.service.ts`,
    from: 'if (made.length === 0) await work(',
    to: 'await work(',
    tests: [`${F}/payouts/payments/payments.routes.test.ts`, 'test/resilience/lost-commits.test.ts'],
  },
  {
    fault: 'an archive breaks off when others are busy',
    file: `${F}/payouts/papers/papers.service.ts`,
    from: 'tries === TURN.tries',
    to: 'tries > 0',
    tests: [`${F}/payouts/papers/archive.routes.test.ts`],
  },
  {
    fault: 'the reference of a draw gets its codes for another quantity',
    file: `${F}/draws/draws.service.ts`,
    from: 'draw.quantity === form.quantity && ',
    to: '',
    tests: [`${F}/draws/draws.routes.test.ts`],
  },
  {
    fault: 'draws that do not all find enough get nothing, though there is something for some',
    file: `${F}/draws/hand-out.service.ts`,
    from: 'if (fitting.size === 0) return',
    to: 'return',
    tests: [`${F}/draws/simultaneous-draws.routes.test.ts`],
  },
];
