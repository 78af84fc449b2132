import { randomUUID } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { needs, streamScopes } from '../../packages/server/src/features/live/needs.ts';
import { eventTypes } from '../../packages/server/src/features/webhooks/events/catalog.ts';
import { partsOf } from '../../packages/server/src/features/webhooks/events/record.ts';
import { samples } from '../../packages/server/src/features/webhooks/events/samples.ts';
import type { Kind, Role, Scope } from '../../packages/server/src/platform/access/access.ts';
import { kindNames, kinds } from '../../packages/server/src/platform/access/kinds.ts';
import { ABSENT } from './documented-routes.ts';

/** Nobody else is called so, and no other code begins so. */
const OWNER = { first_name: 'Zephyrine', last_name: 'Quillfeather', email: 'zephyrine@quillfeather.example' };
const FORMER = { first_name: 'Ottoline', last_name: 'Marchbanks', email: 'ottoline@marchbanks.example' };
const PREFIX = 'ZQXJ';
const planted: Record<Kind, RegExp> = {
  people: /zephyrine|quillfeather|ottoline|marchbanks/i,
  codes: /ZQXJ(?:-[2-9A-Z]{4}){3}/,
};

interface Schema {
  $ref?: string;
  type?: string | string[];
  'x-kind'?: Kind;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Access {
  as: string;
  role?: Role;
  scope: Scope | Scope[];
  shows?: Kind[];
}
interface Operation {
  operationId: string;
  'x-access': Access;
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}
interface Call extends Operation {
  method: string;
  path: string;
}

let server: SharedServer;
let document: Document;
let calls: Call[];
let partners: Partners;
let product: { id: string; name: string };
let sold: { id: string; code: string };
let spare: { id: string; code: string }[];
const ids: Record<string, string> = {};

const must = async (answer: ReturnType<typeof call>) => {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
};

/** Somebody redeems a serial, and it is handed over, refunded, noted about, activated and refused; another one is drawn. */
beforeAll(async () => {
  server = await sharedServer();
  document = (await call(server, 'GET', '/api/openapi.json')).body;
  calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }))
      .filter((each) => each['x-access']?.as === 'user'),
  );
  partners = await makePartners(server, 10);
  const { developer, reseller, partnershipId } = partners;
  const { token } = developer;
  const as = (person: Person, method: string, path: string, body?: object) =>
    must(call(server, method, path, { token: person.token, ...(body ? { body } : {}) }));
  await as(developer, 'POST', '/api/webhooks', { url: 'https://hooks.example.com/in', events: ['*'] });
  product = await makeProduct(server, token, { max_activations: 5 });
  const given = { quantity: 6, prefix: PREFIX, reseller_id: partnershipId };
  [sold, ...spare] = (await makeSerials(server, token, product.id, given)) as [{ id: string; code: string }];
  await makeSerials(server, token, product.id, { quantity: 2, prefix: PREFIX });
  const begun = await must(
    call(server, 'POST', '/api/redeem/initiate', {
      body: { serial: sold.code, email: FORMER.email, dev: developer.id },
    }),
  );
  const { email: _, ...name } = FORMER;
  await must(call(server, 'POST', '/api/redeem/complete', { body: { temp_token: begun.temp_token, ...name } }));
  await as(developer, 'POST', `/api/serials/${sold.id}/transfer`, OWNER);
  await as(developer, 'POST', `/api/serials/${sold.id}/refund`, { reason: 'Bought twice', amount: 1 });
  await as(reseller, 'POST', '/api/reseller/serials/draw', { product_id: product.id, reference: 'order-1' });
  const key = (await as(developer, 'POST', '/api/developer/plugin-keys', {})).plaintext;
  const plugin = (path: string, body: object) => call(server, 'POST', `/api/license/v1/${path}`, { token: key, body });
  await must(plugin('activate', { license_key: sold.code, machine_id: 'studio' }));
  await plugin('validate', { license_key: sold.code, machine_id: 'other' });
  const { rows } = await as(developer, 'GET', '/api/serials/redeemed');
  ids.customer = rows[0].customer.id;
  ids.batch = rows[0].batch_id;
  await as(developer, 'POST', `/api/customers/${ids.customer}/notes`, { text: 'Asked about the manual' });
  const csv = new FormData();
  csv.append(
    'file',
    new Blob([`Serial,Product,Email\nX,${product.name},zephyrine\nLATE-1,${product.name},a b@quillfeather.example\n`]),
    'redeemed.csv',
  );
  ids.import = (await must(call(server, 'POST', '/api/serials/import-redeemed', { token, body: csv }))).import_id;
  const hooks = await as(developer, 'GET', '/api/webhooks');
  ids.webhook = hooks.webhooks[0].id;
  const sent = await as(developer, 'GET', `/api/webhooks/${ids.webhook}/deliveries?type=serial.redeemed`);
  ids.delivery = sent.rows[0].id;
  const bought = { id: '1', product_ids: [product.id], paid: '1.00' };
  const sale = { order: 'sale-1', currency: 'USD', email: OWNER.email, lines: [bought] };
  ids.order = (await must(call(server, 'POST', '/api/sales', { token, body: sale }))).order_id;
  ids.payout = randomUUID();
  // the statement of whichever month that was
  await server.db.query(
    `insert into payouts (id, developer_id, partnership_id, month, number, position, total_redemptions, total_revenue_cents, avg_price_cents,
       reseller_earned_cents, developer_owed_cents, adjustments, adjustment_revenue_cents, adjustment_commission_cents, brought_forward_cents,
       due_cents, rates, products, parties, rows_digest, digest, closed_at, status)
     select $1, r.developer_id, r.partnership_id, date_trunc('month', r.redeemed_at at time zone 'UTC')::date, '2026-0001', 1, 1, 4900, 4900,
       490, 4410, 0, 0, 0, 0, 4410, '[]', '{}', $3, '', '', now(), 'pending'
     from redemptions r where r.developer_id = $2 and r.serial_id = $4`,
    [
      ids.payout,
      developer.id,
      JSON.stringify({
        developer: { name: 'Row Audio', email: 'a@example.com', address: null, tax_id: null },
        reseller: { name: 'Shop', email: '', address: null, tax_id: null },
        commission_bps: 1000,
      }),
      sold.id,
    ],
  );
});

const tokens = new Map<string, Promise<string>>();
/** A token of a partner with just these scopes. */
function tokenOf(role: Role, scopes: readonly Scope[]): Promise<string> {
  const key = `${role} ${[...scopes].sort().join(' ')}`;
  const made =
    tokens.get(key) ??
    must(
      call(server, 'POST', '/api/account/tokens', {
        token: partners[role].token,
        body: { name: key.slice(0, 50), scopes },
      }),
    ).then(({ token }) => token);
  tokens.set(key, made);
  return made;
}

const scopesOf = ({ scope }: Access): Scope[] => [scope].flat();
const rolesOf = ({ role }: Access): Role[] => (role ? [role] : ['developer', 'reseller']);
const reads = (role: Role, kind: Kind, scope: Scope) => (kinds[kind][role] as readonly Scope[]).includes(scope);
/** Whether a token with one scope of a call may be told data of a kind. */
const mayTell = (access: Access, role: Role, kind: Kind, scope: Scope) =>
  reads(role, kind, scope) || (access.shows ?? []).includes(kind);

const resolved = (schema: Schema): Schema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) as string] as Schema) : schema;

interface Field {
  owner: string;
  name: string;
  schema: Schema;
}
/** Every field of a schema at every depth, with the named schema or operation that it belongs to. */
function fieldsOf(schema: Schema, owner: string, seen = new Set<string>()): Field[] {
  if (schema.$ref) {
    if (seen.has(schema.$ref)) return [];
    return fieldsOf(resolved(schema), schema.$ref.split('/').at(-1) as string, new Set([...seen, schema.$ref]));
  }
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  const inner = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])];
  if (typeof additionalProperties === 'object') inner.push(additionalProperties);
  return [
    ...Object.entries(properties).flatMap(([name, each]) => [
      { owner, name, schema: each },
      ...fieldsOf(each, owner, seen),
    ]),
    ...inner.flatMap((each) => fieldsOf(each, owner, seen)),
  ];
}
const answersOf = ({ responses, operationId }: Operation): Field[] =>
  Object.entries(responses)
    .filter(([status]) => status < '300')
    .flatMap(([, { content = {} }]) => Object.values(content))
    .flatMap(({ schema }) => (schema ? fieldsOf(schema, operationId) : []));

const kindOf = ({ schema }: Field): Kind | undefined => schema['x-kind'] ?? schema.items?.['x-kind'];
const isText = (schema: Schema): boolean => {
  const { type, anyOf = [], items } = resolved(schema);
  return type === 'string' || anyOf.some(isText) || (items !== undefined && isText(items));
};
const takesNull = ({ schema }: Field): boolean =>
  schema.type === 'null' ||
  [schema.type].flat().includes('null') ||
  (schema.anyOf ?? []).some(({ type }) => type === 'null');

/** Fields that are called as if they had somebody's data. */
const NAMED: Record<Kind, RegExp> = {
  people: /^(email|first_name|last_name|recipient)$/,
  codes: /^(code|codes|serial|serial_code)$/,
};
/** What is meant by such a name elsewhere. */
const others: Record<string, string> = {
  'Me.*': 'one’s own account',
  'AccountSettings.*': 'one’s own account',
  'ResellerSettings.*': 'one’s own account',
  'Invoice.*': 'one’s own account',
  'Reseller.*': 'a partner',
  'ResellerProfile.*': 'a partner',
  'ReceivedInvite.*': 'a partner',
  'SentInvite.*': 'a partner',
  'InvitesSent.*': 'a partner',
  'PayoutDetail.*': 'a partner',
  'SearchResult.*': 'looked for only with the scope of its kind',
  'Standing.code': 'a word for how it stands',
  'Finding.code': 'a word for how it stands',
  'SerialStanding.code': 'a word for how it stands',
  'PayoutTransaction.code': 'the end of a code',
};
const isOther = ({ owner, name }: Field) => `${owner}.${name}` in others || `${owner}.*` in others;

describe('the contract', () => {
  it('marks every field with a name, an address or a code of a customer, for whoever calls', () => {
    const unmarked = calls.flatMap((each) =>
      answersOf(each)
        .filter((field) => isText(field.schema) && !kindOf(field) && !isOther(field))
        .filter(({ name }) => kindNames.some((kind) => NAMED[kind].test(name)))
        .map(({ owner, name }) => `${each.operationId}: ${owner}.${name}`),
    );
    expect(unmarked).toEqual([]);
    const used = calls.flatMap(answersOf).flatMap(({ owner, name }) => [`${owner}.*`, `${owner}.${name}`]);
    expect(Object.keys(others).filter((each) => !used.includes(each))).toEqual([]);
  });

  it('lets such a field be null wherever a token of the call may lack its scope', () => {
    const wrong = calls.flatMap((each) => {
      const access = each['x-access'];
      return answersOf(each).flatMap((field) => {
        const kind = kindOf(field);
        if (!kind || takesNull(field)) return [];
        const lacks = rolesOf(access).some((role) =>
          scopesOf(access).some((scope) => !mayTell(access, role, kind, scope)),
        );
        // the stream filters by the message, and a code comes only with the scope that reads it
        return lacks && !(each.operationId === 'streamEvents' && kind === 'codes')
          ? [`${each.operationId}: ${field.owner}.${field.name}`]
          : [];
      });
    });
    expect(wrong).toEqual([]);
  });
});

const places: [RegExp, () => string][] = [
  [/^\/api\/serials\/group\//, () => product.name],
  [/^\/api\/serials\//, () => sold.id],
  [/^\/api\/batches\//, () => ids.batch as string],
  [/^\/api\/customers\//, () => ids.customer as string],
  [/^\/api\/imports\//, () => ids.import as string],
  [/^\/api\/products\//, () => product.id],
  [/^\/api\/reseller\/(developer\/)?payouts\//, () => ids.payout as string],
  [/^\/api\/reseller\/developer\/resellers\//, () => partners.partnershipId],
  [/^\/api\/reseller\/developers\//, () => partners.developer.id],
  [/^\/api\/reseller\/products\//, () => product.id],
  [/^\/api\/reseller\/serials\/draws\//, () => 'order-1'],
  [/^\/api\/webhooks\//, () => ids.webhook as string],
  [/^\/api\/webhook-deliveries\//, () => ids.delivery as string],
];
const queries: Record<string, () => string[]> = {
  search: () => [`q=${OWNER.email}`, `q=${sold.code}`, `q=${spare[1]?.code}`, 'q=order-1'],
  downloadStock: () => [`product_id=${product.id}`],
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
      const answer = await call(server, each.method, `${placeOf(each.path)}${query && `?${query}`}`, {
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
    calls.filter(
      (each) =>
        each.method === 'GET' && rolesOf(each['x-access']).includes(role) && each.operationId !== 'streamEvents',
    );

  it('reads codes and customers nowhere but with their scope', async () => {
    const seen: Record<Kind, string[]> = { people: [], codes: [] };
    for (const each of gets()) {
      const access = each['x-access'];
      const whole = await read(each, partners[role].token);
      for (const kind of kindNames) if (planted[kind].test(whole)) seen[kind].push(each.operationId);
      for (const scope of scopesOf(access)) {
        const text = await read(each, await tokenOf(role, [scope]));
        for (const kind of kindNames)
          if (!mayTell(access, role, kind, scope))
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
        await tokenOf(role, [...scopesOf(access), ...kindNames.map((kind) => kinds[kind][role][0])]),
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
    const each = calls.find(({ operationId }) => operationId === operation) as Call;
    const ask = (token: string, accept: string) =>
      call(server, 'GET', placeOf(each.path), { token, headers: { accept } });
    for (const accept of ['application/json', 'text/csv']) {
      const { headers } = await ask(await tokenOf(role, [scope]), accept);
      expect(headers.get('x-tonerow-withheld')).toBe(header);
      expect((await ask(partners[role].token, accept)).headers.get('x-tonerow-withheld')).toBeNull();
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
    (await must(call(server, 'GET', path, { token: await tokenOf(role, [scope]) }))).total;

  it('finds nobody by a part of an address that the token may not read', async () => {
    const path = (words: string) => `/api/serials/redeemed?search=${words}`;
    expect(await count(path('quillf'), 'serials:read')).toBe(0);
    expect(await count(path(sold.code), 'serials:read')).toBe(1);
    const given = `/api/reseller/products/${product.id}/redeemed?search=`;
    expect(await count(`${given}quillf`, 'stock:read', 'reseller')).toBe(0);
    expect(await count(`${given}${sold.code}`, 'stock:read', 'reseller')).toBe(1);
    const token = await tokenOf('developer', ['serials:write']);
    const body = { action: 'revoke', filter: { search: 'quillf' }, dry_run: true };
    expect((await must(call(server, 'POST', '/api/serials/redeemed/change', { token, body }))).count).toBe(0);
  });

  it('does not sort by who the token may not know', async () => {
    const token = await tokenOf('developer', ['serials:read']);
    const { status, body } = await call(server, 'GET', '/api/serials/redeemed?sort=customer', { token });
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  });
});

describe('a write', () => {
  const writes: Record<string, () => { path: string; body?: object }> = {
    generateSerials: () => ({
      path: '/api/serials/generate',
      body: { product_id: product.id, quantity: 1, prefix: PREFIX },
    }),
    revokeSerial: () => ({ path: `/api/serials/revoke/${sold.id}` }),
    reassignSerial: () => ({ path: `/api/serials/reassign/${sold.id}` }),
    refreshSerial: () => ({ path: `/api/serials/refresh/${sold.id}` }),
    resendSerialEmail: () => ({ path: `/api/serials/${sold.id}/resend-email` }),
    transferSerial: () => ({ path: `/api/serials/${sold.id}/transfer`, body: { email: OWNER.email } }),
    changeCustomer: () => ({ path: `/api/customers/${ids.customer}`, body: { first_name: OWNER.first_name } }),
    drawSerials: () => ({ path: '/api/reseller/serials/draw', body: { product_id: product.id, reference: 'order-2' } }),
    returnDraw: () => ({ path: '/api/reseller/serials/draws/order-2/return', body: {} }),
    prepareFirstRedemption: () => ({ path: '/api/account/first-steps/redemption' }),
    sellSerial: () => ({
      path: '/api/reseller/serials/sell',
      body: { product_id: product.id, reference: 'sale-1', email: OWNER.email },
    }),
    recordSale: () => ({
      path: '/api/sales',
      body: {
        order: 'sale-2',
        currency: 'USD',
        lines: [{ id: '1', product_ids: [product.id], paid: '1.00' }],
      },
    }),
    updateShopOrder: () => ({ path: `/api/shop-orders/${ids.order}`, body: { note: 'By hand' } }),
    resendShopOrder: () => ({ path: `/api/shop-orders/${ids.order}/resend` }),
    emailHandSale: () => ({ path: '/api/reseller/serials/sold/sale-1/email', body: { email: OWNER.email } }),
  };

  it('answers what it makes or changes, and no other data of customers', async () => {
    const withKinds = calls.filter((each) => each.method !== 'GET' && answersOf(each).some((field) => kindOf(field)));
    // they need what a shop has sent, and answer as the other calls of an order do
    const like = ['replayShopDelivery', 'decideShopOrder'];
    const unseen = withKinds
      .map(({ operationId }) => operationId)
      .filter((id) => !(id in writes) && !like.includes(id));
    expect(unseen).toEqual([]);
    const seen: string[] = [];
    for (const [id, given] of Object.entries(writes)) {
      const each = calls.find(({ operationId }) => operationId === id) as Call;
      const access = each['x-access'];
      const [role] = rolesOf(access) as [Role];
      const { path, body } = given();
      const [scope] = scopesOf(access) as [Scope];
      const { status, text } = await call(server, each.method, path, {
        token: await tokenOf(role, [scope]),
        body: body ?? {},
      });
      expect([id, status, status < 300 ? '' : text]).toEqual([id, status, '']);
      for (const kind of kindNames) {
        const there = planted[kind].test(text);
        if (there) seen.push(`${id} ${kind}`);
        if (!mayTell(access, role, kind, scope)) expect([id, kind, there]).toEqual([id, kind, false]);
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

/** What a token is sent while messages of every type are told to a partner, up to a sentinel. */
async function heard(role: Role, scopes: readonly Scope[]): Promise<string> {
  const token = await tokenOf(role, scopes);
  const leave = new AbortController();
  const response = await fetch(`${server.url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leave.signal,
  });
  if (response.status !== 200) return `${response.status}`;
  const data = { ...OWNER, serial: sold.code, kind: 'available', product_name: 'Delay' };
  const account = partners[role].id;
  for (const type of [...Object.keys(needs), 'resync'])
    await server.db.query("select pg_notify('tonerow_live', $1)", [
      JSON.stringify({ a: account, type, data: type === 'resync' ? {} : data }),
    ]);
  let text = '';
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream() as never,
  )) {
    text += chunk;
    if (text.includes('event: resync')) break;
  }
  leave.abort();
  return text;
}

describe('the live stream', () => {
  it.each(['developer', 'reseller'] as const)(
    'sends a %s’s token the messages of its scope alone, without others’ data',
    async (role) => {
      for (const scope of streamScopes) {
        const text = await heard(role, [scope]);
        const types = [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);
        const due = Object.entries(needs).flatMap(([type, by]) => (by[role]?.includes(scope) ? [type] : []));
        // an import of serials is told with the scope that reads it
        const expected = due.filter((type) => type !== 'import' || scope === 'serials:read');
        expect([scope, types]).toEqual([scope, [...expected, 'resync']]);
        for (const kind of kindNames)
          if (!reads(role, kind, scope)) expect([scope, kind, planted[kind].test(text)]).toEqual([scope, kind, false]);
      }
    },
  );

  it('names the customer to a token that reads customers, and to who is signed in', async () => {
    const text = await heard('developer', ['serials:read', 'customers:read']);
    expect([planted.people.test(text), planted.codes.test(text)]).toEqual([true, true]);
    const names = await heard('developer', ['serials:read']);
    expect(names).toContain(`"serial":"${sold.code}"`);
    expect(names).toContain('"email":null');
  });
});

it('the feed of webhooks shows a token every type of event without what it may not read', async () => {
  for (const type of eventTypes) {
    const { shown, personal } = partsOf(samples[type]);
    await server.db.query(
      `insert into webhook_events (developer_id, id, type, occurred_at, data, personal, object_ids, xid)
       values ($1, gen_random_uuid(), $2, now(), $3, $4, '{}', 1)`,
      [partners.developer.id, type, shown, personal],
    );
  }
  const feed = async (token: string, query = '') =>
    (await call(server, 'GET', `/api/webhook-events?limit=100${query}`, { token })).text;
  const sample = {
    codes: samples['serial.redeemed'].code as string,
    people: samples['customer.created'].email as string,
  };
  const text = await feed(await tokenOf('developer', ['webhooks:read']));
  for (const type of eventTypes) expect(text).toContain(`"${type}"`);
  for (const kind of kindNames) expect([kind, text.includes(sample[kind])]).toEqual([kind, false]);
  const coded = await feed(await tokenOf('developer', ['webhooks:read', 'serials:read']));
  expect([coded.includes(sample.codes), coded.includes(sample.people)]).toEqual([true, false]);
  const refused = await feed(await tokenOf('developer', ['webhooks:read', 'serials:read']), '&include_personal=true');
  expect(JSON.parse(refused).code).toBe('insufficient_scope');
  const whole = await feed(
    await tokenOf('developer', ['webhooks:read', 'serials:read', 'customers:read']),
    '&include_personal=true',
  );
  expect([whole.includes(sample.codes), whole.includes(sample.people)]).toEqual([true, true]);
});
