export interface Mutant {
  /** What would be wrong if this were the code. */
  fault: string;
  file: string;
  /** Must occur exactly once. */
  from: string;
  to: string;
  /** The test files of which at least one has to fail. */
  tests: string[];
}

const F = 'packages/server/src/features';
const P = 'packages/server/src/platform';

/**
 * Bugs that cost somebody money, a seat or their privacy, each small enough to slip through a review. A bug that the
 * tests don't catch is a missing test.
 */
export const mutants: readonly Mutant[] = [
  {
    fault: 'a redemption counts for the wrong month',
    file: `${F}/plans/usage.ts`,
    from: 'now.toISOString()',
    to: 'new Date(now.getTime() - 86_400_000).toISOString()',
    tests: [`${F}/plans/usage-months.routes.test.ts`],
  },
  {
    fault: 'a cap lets one redemption too many through',
    file: `${F}/plans/rating.ts`,
    from: ' is null or u.redemptions < ',
    to: ' is null or u.redemptions <= ',
    tests: [`${F}/redemption/redemption.routes.test.ts`, `${F}/plans/usage-months.routes.test.ts`],
  },
  {
    fault: 'the name of another developer’s customer spares the name step',
    file: `${F}/customers/customers.service.ts`,
    from: 'where developer_id = $1 and email_key = $2',
    to: 'where $1::uuid is not null and email_key = $2',
    tests: [`${F}/customers/customers.tenants.test.ts`],
  },
  {
    fault: 'a change of time zone loses redemptions that arrive meanwhile',
    file: `${F}/redemption/ledger.ts`,
    from: "await sql.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 1))', [developerId]);",
    to: '',
    tests: [`${F}/redemption/ledger.test.ts`],
  },
  {
    fault: 'a commission is rounded down',
    file: `${P}/money.ts`,
    from: '(amount * basisPoints + 5000) / 10_000',
    to: '(amount * basisPoints) / 10_000',
    tests: [`${P}/rules.test.ts`],
  },
  {
    fault: 'dollars lose a cent on the way in',
    file: `${P}/money.ts`,
    from: 'Math.round(dollars * 100)',
    to: 'Math.trunc(dollars * 100)',
    tests: [`${P}/rules.test.ts`],
  },
  {
    fault: 'an imported redemption earns a commission',
    file: `${F}/imports/redeemed.ts`,
    from: '0 as commission_cents',
    to: 's.price_cents / 5 as commission_cents',
    tests: [`${F}/imports/imported-money.routes.test.ts`],
  },
  {
    fault: 'a purchase date of tomorrow is imported',
    file: `${F}/imports/redeemed.ts`,
    from: 'if (bought > now)',
    to: 'if (bought.getTime() > now.getTime() + 86_400_000)',
    tests: [`${F}/imports/imported-money.routes.test.ts`],
  },
  {
    fault: 'a promotion is charged at the regular price',
    file: `${F}/products/price.ts`,
    from: 'prices.promo_price_cents ?? prices.sale_price_cents ??',
    to: 'prices.sale_price_cents ?? prices.promo_price_cents ??',
    tests: [`${F}/redemption/redemption.routes.test.ts`],
  },
  {
    fault: 'an expired serial can be redeemed on its last moment',
    file: `${F}/serials/availability-rules.ts`,
    from: 'serial.expires_at <= now',
    to: 'serial.expires_at < now',
    tests: [`${F}/serials/availability-rules.test.ts`, `${F}/redemption/redemption-rules.test.ts`],
  },
  {
    fault: 'a download is counted, but never refused',
    file: `${F}/serials/download-count.ts`,
    from: 's.download_count < $2',
    to: 's.download_count <= $2',
    tests: [`${F}/redemption/redemption.routes.test.ts`],
  },
  {
    fault: 'a refresh is free on a plan with overage',
    file: `${F}/plans/rating.ts`,
    from: 'select c.id, developer_id, c.serial_id, $6, plan, cost_cents from month',
    to: 'select c.id, developer_id, c.serial_id, $6, plan, 0 from month',
    tests: [`${F}/serials/lists.routes.test.ts`, `${F}/plans/rating.routes.test.ts`],
  },
  {
    fault: 'three times the seats may churn',
    file: `${F}/licensing/seats/seats.ts`,
    from: '2 * $12',
    to: '3 * $12',
    tests: [`${F}/licensing/seats/churn.routes.test.ts`],
  },
  {
    fault: 'the last seat is given twice',
    file: `${F}/licensing/seats/seats.ts`,
    from: 's.xmin = serial.row and s.seats_used < serial.seats',
    to: 's.seats_used <= serial.seats',
    tests: [`${F}/licensing/seats/seats.routes.test.ts`],
  },
  {
    fault: 'a seat that is freed twice counts twice',
    file: `${F}/licensing/seats/seats.ts`,
    from: 'if (!gone) return undefined;',
    to: '',
    tests: [`${F}/licensing/seats/seats.routes.test.ts`, `${F}/licensing/v1/licensing.routes.test.ts`],
  },
  {
    fault: 'a revoked licence validates',
    file: `${F}/licensing/rules/license-rules.ts`,
    from: "blockedBy('revoked', 'product_deleted')",
    to: "blockedBy('product_deleted')",
    tests: [`${F}/licensing/rules/license-rules.test.ts`],
  },
  {
    fault: 'product A’s key file opens product B',
    file: `${F}/licensing/rules/license-rules.ts`,
    from: 'productId !== null && productId.toLowerCase() !== license.product_id',
    to: 'false',
    tests: [`${F}/licensing/rules/license-rules.test.ts`],
  },
  {
    fault: 'anybody who knows a code learns whose it is',
    file: `${F}/licensing/rules/license-rules.ts`,
    from: 'emailKey !== license.owner_email_key',
    to: 'false',
    tests: [`${F}/licensing/rules/license-rules.test.ts`],
  },
  {
    fault: 'a machine that holds no seat gets a key file',
    file: `${F}/licensing/key-files/keyfile.service.ts`,
    from: "if (held.length < machines.length) throw new LicenseRefusal('not_activated');",
    to: '',
    tests: [`${F}/licensing/key-files/keyfile-seats.routes.test.ts`],
  },
  {
    fault: 'a plugin key makes files in another developer’s name',
    file: `${F}/licensing/requests/plugin-caller.routes.ts`,
    from: '!key || (credential?.developerId ?? key.developer_id) !== key.developer_id',
    to: '!key',
    tests: [`${F}/licensing/key-files/keyfile-seats.routes.test.ts`],
  },
  {
    fault: 'a token without the scope may write',
    file: `${P}/access/guard.ts`,
    from: '!holds(principal, access.scope)',
    to: 'false',
    tests: ['test/access/access.test.ts'],
  },
  {
    fault: 'a reseller may do what a developer may',
    file: `${P}/access/guard.ts`,
    from: 'access.role && access.role !== principal.role',
    to: 'false',
    tests: ['test/access/access.test.ts'],
  },
  {
    fault: 'an access token may change the password',
    file: `${P}/access/guard.ts`,
    from: "access.as === 'session' && principal.kind !== 'session'",
    to: 'false',
    tests: ['test/access/access.test.ts'],
  },
  {
    fault: 'an access token of an admin may do what an admin may',
    file: `${P}/access/guard.ts`,
    from: "!principal.isAdmin || principal.kind !== 'session'",
    to: '!principal.isAdmin',
    tests: ['test/access/admin-token.test.ts'],
  },
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
    fault: 'a key is forgotten after a failure that may have made something',
    file: `${P}/http/idempotency.ts`,
    from: 'if (claimed.row.first && isRefusal(reply.statusCode)) return',
    to: 'if (reply.statusCode >= 300) return',
    tests: ['test/resilience/lost-commits.test.ts'],
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
    fault: 'a refund takes its own share of the commission, not what the rest earns less',
    file: `${F}/redemption/refunds/refunds.service.ts`,
    from: 'shareOf(left.revenue - amount, sale.commission_bps) - left.commission',
    to: '-shareOf(amount, sale.commission_bps)',
    tests: [`${F}/redemption/refunds/refunds.routes.test.ts`, `${F}/payouts/closing/close-races.routes.test.ts`],
  },
  {
    fault: 'two refunds of a sale give back more than was paid',
    file: `${F}/redemption/refunds/refunds.service.ts`,
    from: 'if (amount > left.revenue)',
    to: 'if (amount > sale.final_price_cents)',
    tests: [`${F}/redemption/refunds/refunds.routes.test.ts`],
  },
  {
    fault: 'the reference of a draw gets its codes for another quantity',
    file: `${F}/draws/draws.service.ts`,
    from: 'draw.quantity === form.quantity && ',
    to: '',
    tests: [`${F}/draws/draws.routes.test.ts`],
  },
  {
    fault: 'a draw in one round trip passes the threshold of its product in silence',
    file: `${F}/serials/hand-out.ts`,
    from: "'count(*) >= (select n from most) and not exists",
    to: "'count(*) >= $6 and not exists",
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
