import { randomUUID } from 'node:crypto';
import { type Answer, call, type Person, signUp, verifyEmail } from '@tonerow/test-support/http.ts';
import { plantSeller } from '@tonerow/test-support/sellers.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, accessTable, actors, type Outcome } from './access-table.ts';
import { ABSENT, documentedRoutes, type Route } from './documented-routes.ts';

let server: TestServer;
let stripe: StripeStandIn;
let routes: Route[];
const credentials = {} as Record<Actor, string | undefined>;
let owner: Person;

beforeAll(async () => {
  stripe = await startStripe();
  server = await startServer({ env: stripe.env });
  routes = await documentedRoutes(server);
  owner = await signUp(server);
  const admin = await signUp(server);
  await server.db.query('update users set is_admin = true where id = $1', [admin.id]);
  for (const person of [owner, admin]) await verifyEmail(server, person);
  const linked = await signUp(server, 'reseller');
  await plantSeller(server.db, linked.id, owner.id);
  await server.db.query(
    `insert into partnerships (id, developer_id, reseller_id, name, name_key, status, created_at)
     values ($1, $2, $3, 'Shop', 'shop', 'active', now())`,
    [randomUUID(), owner.id, linked.id],
  );
  const revoked = await signUp(server);
  await server.db.query('delete from sessions where user_id = $1', [revoked.id]);
  const token = async (scopes: string[]) =>
    (await call(server, 'POST', '/api/account/tokens', { token: owner.token, body: { name: 'x', scopes } })).body;
  const expired = await token(['products:read', 'products:write', 'serials:read', 'serials:write', 'account:read']);
  await server.db.query("update access_tokens set expires_at = now() - interval '1 second' where id = $1", [
    expired.id,
  ]);
  Object.assign(credentials, {
    anonymous: undefined,
    developer: owner.token,
    reseller: (await signUp(server, 'reseller')).token,
    linkedReseller: linked.token,
    admin: admin.token,
    revokedSession: revoked.token,
    expiredToken: expired.token,
    tokenWithoutScope: undefined,
    pluginKey: (await call(server, 'POST', '/api/developer/plugin-keys', { token: owner.token, body: {} })).body
      .plaintext,
    unverifiedDeveloper: (await signUp(server)).token,
  });
  // each scope alone, so that one can be chosen that a route does not ask for
  unrelated = { a: (await token(['keys:read'])).token, b: (await token(['products:read'])).token };
});
afterAll(async () => {
  await server.stop();
  stripe.stop();
});

let unrelated: { a: string; b: string };

function outcomeOf(answer: Answer): Outcome {
  const { code, status } = answer.body as { code?: string; status?: unknown };
  if (answer.status === 401 && (code === 'unauthorized' || code === 'invalid_token' || status === 'unauthorized'))
    return 401;
  if (answer.status === 403 && /^(forbidden|insufficient_scope|email_unverified)$/.test(code ?? '')) return 403;
  return 'ok';
}

/** Enough for every licensing call to reach the credential check. */
const plausible = {
  license_key: 'A',
  machine_id: 'a',
  old_machine_id: 'b',
  product_id: ABSENT,
  validation_token: 'x',
  machine_file: 'abc',
  release: 'abc',
  key: 'A',
  instance_id: 'a',
  device_code: 'a',
  seat_id: ABSENT,
};

it('has a row for every route, and no other', () => {
  expect(Object.keys(accessTable).sort()).toEqual(routes.map((route) => route.id).sort());
});

describe('access', () => {
  it.each(Object.keys(accessTable))('to %s is what the table has', async (id) => {
    const route = routes.find((each) => each.id === id) as Route;
    const path = route.path.replace(/\{\w+\}/g, ABSENT);
    const licensing = path.startsWith('/api/license/') && route.method === 'POST';
    const found: Record<string, Outcome> = {};
    for (const actor of actors) {
      const lacking = id === 'listPluginKeys' ? unrelated.b : unrelated.a;
      const token = actor === 'tokenWithoutScope' ? lacking : credentials[actor];
      const answer = await call(server, route.method, path, {
        ...(token ? { token } : {}),
        ...(route.method === 'GET' ? {} : { body: licensing ? plausible : {} }),
      });
      expect(answer.status, `${actor} ${answer.text}`).toBeLessThan(500);
      found[actor] = outcomeOf(answer);
    }
    expect(found).toEqual(Object.fromEntries(actors.map((actor, index) => [actor, accessTable[id]?.[index]])));
  });
});

it('refuses to start with a route that does not declare who may call it', async () => {
  const { default: Fastify } = await import('fastify');
  const { guard } = await import('../../packages/server/src/platform/access/guard.ts');
  const app = Fastify();
  guard(
    app,
    async () => null,
    async () => null,
  );
  expect(() => app.get('/open', async () => 'hello')).toThrow('has no config.access');
});

it('catches a status that a route does not declare', async () => {
  const { default: Fastify } = await import('fastify');
  const { refuseUndeclaredStatuses, undeclared } = await import(
    '../../packages/server/src/platform/http/answers/declared-statuses.ts'
  );
  const app = Fastify();
  refuseUndeclaredStatuses(app);
  const response = { 200: { type: 'string' }, 500: {} };
  app.get('/teapot', { schema: { response } }, async (_request, reply) => reply.code(418 as 200).send('no'));
  await app.inject('/teapot').catch(() => undefined);
  expect([...new Set(undeclared)]).toEqual(['GET /teapot answered 418, which it does not declare']);
});
