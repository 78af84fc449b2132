import { call } from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Role, Scope } from '../../../packages/server/src/platform/access/access.ts';
import { kindNames } from '../../../packages/server/src/platform/access/kinds.ts';
import { type Call, kindOf, mayReveal, rolesOf, scopesOf } from './contract-calls.ts';
import { OWNER, PREFIX, plant, planted, type World } from './planted.ts';

let world: World;
beforeAll(async () => {
  world = await plant();
});

describe('a write', () => {
  const writes: Record<string, () => { path: string; body?: object }> = {
    generateSerials: () => ({
      path: '/api/serials/generate',
      body: { product_id: world.product.id, quantity: 1, prefix: PREFIX },
    }),
    revokeSerial: () => ({ path: `/api/serials/revoke/${world.sold.id}` }),
    reassignSerial: () => ({ path: `/api/serials/reassign/${world.sold.id}` }),
    refreshSerial: () => ({ path: `/api/serials/refresh/${world.sold.id}` }),
    resendSerialEmail: () => ({ path: `/api/serials/${world.sold.id}/resend-email` }),
    transferSerial: () => ({ path: `/api/serials/${world.sold.id}/transfer`, body: { email: OWNER.email } }),
    changeCustomer: () => ({ path: `/api/customers/${world.ids.customer}`, body: { first_name: OWNER.first_name } }),
    drawSerials: () => ({
      path: '/api/reseller/serials/draw',
      body: { product_id: world.product.id, reference: 'order-2' },
    }),
    returnDraw: () => ({ path: '/api/reseller/serials/draws/order-2/return', body: {} }),
    prepareFirstRedemption: () => ({ path: '/api/account/first-steps/redemption' }),
    sellSerial: () => ({
      path: '/api/reseller/serials/sell',
      body: { product_id: world.product.id, reference: 'sale-1', email: OWNER.email },
    }),
    recordSale: () => ({
      path: '/api/sales',
      body: {
        order: 'sale-2',
        currency: 'USD',
        lines: [{ id: '1', product_ids: [world.product.id], paid: '1.00' }],
      },
    }),
    updateShopOrder: () => ({ path: `/api/shop-orders/${world.ids.order}`, body: { note: 'By hand' } }),
    resendShopOrder: () => ({ path: `/api/shop-orders/${world.ids.order}/resend` }),
    emailHandSale: () => ({ path: '/api/reseller/serials/sold/sale-1/email', body: { email: OWNER.email } }),
  };

  it('answers what it makes or changes, and no other data of customers', async () => {
    const withKinds = world.contract.calls.filter(
      (each) => each.method !== 'GET' && world.contract.answersOf(each).some((field) => kindOf(field)),
    );
    // they need what a shop has sent, and answer as the other calls of an order do
    const like = ['replayShopDelivery', 'decideShopOrder'];
    const unseen = withKinds
      .map(({ operationId }) => operationId)
      .filter((id) => !(id in writes) && !like.includes(id));
    expect(unseen).toEqual([]);
    const seen: string[] = [];
    for (const [id, given] of Object.entries(writes)) {
      const each = world.contract.calls.find(({ operationId }) => operationId === id) as Call;
      const access = each['x-access'];
      const [role] = rolesOf(access) as [Role];
      const { path, body } = given();
      const [scope] = scopesOf(access) as [Scope];
      const { status, text } = await call(world.server, each.method, path, {
        token: await world.tokenOf(role, [scope]),
        body: body ?? {},
      });
      expect([id, status, status < 300 ? '' : text]).toEqual([id, status, '']);
      for (const kind of kindNames) {
        const there = planted[kind].test(text);
        if (there) seen.push(`${id} ${kind}`);
        if (!mayReveal(access, role, kind, scope)) expect([id, kind, there]).toEqual([id, kind, false]);
      }
    }
    expect(seen).toEqual([
      'generateSerials codes',
      'revokeSerial codes',
      'reassignSerial codes',
      'refreshSerial codes',
      'changeCustomer people',
      'drawSerials codes',
      'returnDraw codes',
      'sellSerial people',
      'sellSerial codes',
      'emailHandSale people',
      'emailHandSale codes',
    ]);
  });
});
