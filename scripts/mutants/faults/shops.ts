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
  {
    fault: 'refunds that are told as a total add up',
    file: `${S}/orders/converge.ts`,
    from: 'Math.max(0, ...totals)',
    to: 'totals.reduce((all, each) => all + each, 0)',
    tests: [`${S}/orders/convergence.test.ts`],
  },
  {
    fault: 'a license call makes a sold serial free',
    file: `${S}/orders/merge.ts`,
    from: '(!line.isUnpriced &&',
    to: '(',
    tests: [`${S}/orders/convergence.test.ts`],
  },
  {
    fault: 'a license call needs no private key',
    file: `${S}/connectors/fastspring.ts`,
    from: "if (privateKey.trim() === '') return null;",
    to: '',
    tests: [`${S}/connectors/fastspring.routes.test.ts`],
  },
  {
    fault: 'a code that was taken back is printed again',
    file: `${S}/inbound/license-calls.service.ts`,
    from: 'code !== null && GIVEN.has(state) ? [code] : []',
    to: 'code !== null ? [code] : []',
    tests: [`${S}/connectors/fastspring.routes.test.ts`],
  },
  {
    fault: 'Gumroad’s ping is believed',
    file: `${S}/connectors/gumroad.ts`,
    from: "if (status === 404) return { ignored: 'Gumroad knows no such sale, so it is not from there.' };",
    to: '',
    tests: [`${S}/connectors/gumroad.routes.test.ts`],
  },
  {
    fault: 'a credit takes serials back',
    file: `${S}/connectors/paddle.ts`,
    from: "if (action !== 'refund') return { ignored: 'A credit takes no serial back.' };",
    to: '',
    tests: [`${S}/connectors/paddle.routes.test.ts`],
  },
  {
    fault: 'an old delivery of Stripe’s verifies for ever',
    file: `${S}/connectors/stripe.ts`,
    from: 'Math.abs(now.getTime() - Number(at) * SECOND) > TOLERANCE',
    to: 'false',
    tests: [`${S}/connectors/stripe.routes.test.ts`],
  },
  {
    fault: 'a shop gives serials for what it sold before it was connected',
    file: `${S}/orders/reconcile.service.ts`,
    from: '(order.paidAt ?? order.versionAt) < since',
    to: 'false',
    tests: [`${S}/orders/reconcile.routes.test.ts`],
  },
  {
    fault: 'the shop’s address overwrites the one that the seller entered',
    file: `${S}/orders/order-worker.ts`,
    from: 'order.settled.includes(BY_HAND) ? order.email : known.email',
    to: 'known.email',
    tests: [`${S}/orders/order-actions.routes.test.ts`],
  },
  {
    fault: 'what comes about an erased customer is kept',
    file: `${S}/orders/order-worker.ts`,
    from: 'if (!order?.erased_at) return;',
    to: 'if (order) return;',
    tests: [`${S}/inbound/expiry.routes.test.ts`],
  },
  {
    fault: 'a customer waits as long as an order is held',
    file: `${S}/inbound/license-calls.service.ts`,
    from: 'const LOCK_MS = 200;',
    to: 'const LOCK_MS = 20_000;',
    tests: [`${S}/connectors/fastspring.routes.test.ts`],
  },
  {
    fault: 'who switched emails about shops off is emailed',
    file: `${S}/connections/shop-notices.ts`,
    from: "recipientOf(tx, accountId, 'shops')",
    to: "recipientOf(tx, accountId, 'webhooks' as 'shops')",
    tests: [`${S}/orders/order-events.routes.test.ts`],
  },
];
