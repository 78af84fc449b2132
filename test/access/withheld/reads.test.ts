import { call } from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Kind, Role, Scope } from '../../../packages/server/src/platform/access/access.ts';
import { kindNames, kinds } from '../../../packages/server/src/platform/access/kinds.ts';
import { ABSENT } from '../documented-routes.ts';
import { type Call, mayReveal, rolesOf, scopesOf } from './contract-calls.ts';
import { must, OWNER, plant, planted, type World } from './planted.ts';

let world: World;
beforeAll(async () => {
  world = await plant();
});

const places: [RegExp, () => string][] = [
  [/^\/api\/serials\/group\//, () => world.product.name],
  [/^\/api\/serials\//, () => world.sold.id],
  [/^\/api\/batches\//, () => world.ids.batch as string],
  [/^\/api\/customers\//, () => world.ids.customer as string],
  [/^\/api\/imports\//, () => world.ids.import as string],
  [/^\/api\/products\//, () => world.product.id],
  [/^\/api\/reseller\/(developer\/)?payouts\//, () => world.ids.payout as string],
  [/^\/api\/reseller\/developer\/resellers\//, () => world.partners.partnershipId],
  [/^\/api\/reseller\/developers\//, () => world.partners.developer.id],
  [/^\/api\/reseller\/products\//, () => world.product.id],
  [/^\/api\/reseller\/serials\/draws\//, () => 'order-1'],
  [/^\/api\/webhooks\//, () => world.ids.webhook as string],
  [/^\/api\/webhook-deliveries\//, () => world.ids.delivery as string],
];
const queries: Record<string, () => string[]> = {
  search: () => [`q=${OWNER.email}`, `q=${world.sold.code}`, `q=${world.spare[1]?.code}`, 'q=order-1'],
  downloadStock: () => [`product_id=${world.product.id}`],
  downloadPayoutArchive: () => ['year=2000'],
  downloadDeveloperPayoutArchive: () => ['year=2000'],
};
const placeOf = (path: string) =>
  path.replace(/\{\w+\}/, encodeURIComponent(places.find(([start]) => start.test(path))?.[1]() ?? ABSENT));

/** Everything that a partner reads with a call, in each form that it answers in. */
async function read(each: Call, token: string): Promise<string> {
  const types = new Set(
    Object.entries(each.responses).flatMap(([status, { content = {} }]) =>
      status < '300' ? Object.keys(content) : [],
    ),
  );
  const texts: string[] = [];
  for (const query of queries[each.operationId]?.() ?? [''])
    for (const accept of types) {
      const answer = await call(world.server, each.method, `${placeOf(each.path)}${query && `?${query}`}`, {
        token,
        headers: { accept },
      });
      expect([each.operationId, answer.status < 500 ? '' : answer.text]).toEqual([each.operationId, '']);
      texts.push(answer.status < 300 ? answer.text : '');
    }
  return texts.join('\n');
}

describe.each(['developer', 'reseller'] as const)('a %s’s access token', (role) => {
  const gets = () =>
    world.contract.calls.filter(
      (each) =>
        each.method === 'GET' && rolesOf(each['x-access']).includes(role) && each.operationId !== 'streamEvents',
    );

  it('reads codes and customers nowhere but with their scope', async () => {
    const seen: Record<Kind, string[]> = { people: [], codes: [] };
    for (const each of gets()) {
      const access = each['x-access'];
      const whole = await read(each, world.partners[role].token);
      for (const kind of kindNames) if (planted[kind].test(whole)) seen[kind].push(each.operationId);
      for (const scope of scopesOf(access)) {
        const text = await read(each, await world.tokenOf(role, [scope]));
        for (const kind of kindNames)
          if (!mayReveal(access, role, kind, scope))
            expect([each.operationId, scope, kind, planted[kind].exec(text)?.[0]]).toEqual([
              each.operationId,
              scope,
              kind,
              undefined,
            ]);
      }
      // and with it, what the person reads
      const all = await read(
        each,
        await world.tokenOf(role, [...scopesOf(access), ...kindNames.map((kind) => kinds[kind][role][0])]),
      );
      for (const kind of kindNames)
        expect([each.operationId, kind, planted[kind].test(all)]).toEqual([
          each.operationId,
          kind,
          planted[kind].test(whole),
        ]);
    }
    expect(seen).toEqual(told[role]);
  });

  it('is told by a header what was left out of an answer, and which scope has it', async () => {
    const [operation, scope, header] = lefts[role];
    const each = world.contract.calls.find(({ operationId }) => operationId === operation) as Call;
    const ask = (token: string, accept: string) =>
      call(world.server, 'GET', placeOf(each.path), { token, headers: { accept } });
    for (const accept of ['application/json', 'text/csv']) {
      const { headers } = await ask(await world.tokenOf(role, [scope]), accept);
      expect(headers.get('x-tonerow-withheld')).toBe(header);
      expect((await ask(world.partners[role].token, accept)).headers.get('x-tonerow-withheld')).toBeNull();
    }
  });
});

const lefts: Record<Role, [operation: string, scope: Scope, header: string]> = {
  developer: ['listRedeemedSerials', 'serials:read', 'people; needs="customers:read"'],
  reseller: ['listResellerRedeemedSerials', 'stock:read', 'people; needs="sales:read"'],
};

/** The calls that show the planted data to a signed-in account: without them, the test above would see nothing. */
const told: Record<Role, Record<Kind, string[]>> = {
  developer: {
    people: [
      'exportCustomers',
      'listCustomers',
      'getCustomer',
      'exportCustomerData',
      'listCustomerEmails',
      'downloadImportReport',
      'getDeveloperPayout',
      'search',
      'listRedeemedSerials',
      'getSerial',
      'listSerialHistory',
      'listShopOrders',
    ],
    codes: [
      'exportCustomers',
      'listCustomers',
      'getCustomer',
      'listCustomerActivity',
      'exportCustomerData',
      'listLicenseRefusals',
      'search',
      'listSerials',
      'listAvailableSerials',
      'listSerialGroup',
      'listRedeemedSerials',
      'getSerial',
      'getWebhookDelivery',
      'listWebhookEvents',
    ],
  },
  reseller: {
    people: [
      'listResellerCustomers',
      'getPayout',
      'getResellerProduct',
      'listResellerRedeemedSerials',
      'listTransactions',
    ],
    codes: [
      'downloadStock',
      'getResellerProduct',
      'listResellerAvailableSerials',
      'listResellerRedeemedSerials',
      'listDraws',
      'getDraw',
      'listTransactions',
    ],
  },
};

describe('a search', () => {
  const count = async (path: string, scope: Scope, role: Role = 'developer') =>
    (await must(call(world.server, 'GET', path, { token: await world.tokenOf(role, [scope]) }))).total;

  it('finds nobody by a part of an address that the token may not read', async () => {
    const path = (words: string) => `/api/serials/redeemed?search=${words}`;
    expect(await count(path('quillf'), 'serials:read')).toBe(0);
    expect(await count(path(world.sold.code), 'serials:read')).toBe(1);
    const given = `/api/reseller/products/${world.product.id}/redeemed?search=`;
    expect(await count(`${given}quillf`, 'stock:read', 'reseller')).toBe(0);
    expect(await count(`${given}${world.sold.code}`, 'stock:read', 'reseller')).toBe(1);
    const token = await world.tokenOf('developer', ['serials:write']);
    const body = { action: 'revoke', filter: { search: 'quillf' }, dry_run: true };
    expect((await must(call(world.server, 'POST', '/api/serials/redeemed/change', { token, body }))).count).toBe(0);
  });

  it('does not sort by who the token may not know', async () => {
    const token = await world.tokenOf('developer', ['serials:read']);
    const { status, body } = await call(world.server, 'GET', '/api/serials/redeemed?sort=customer', { token });
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  });
});
