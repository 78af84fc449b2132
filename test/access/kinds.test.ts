import { call, makeProduct, makeSerials, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it, vi } from 'vitest';
import { kinds, mayRead } from '../../packages/server/src/platform/access/kinds.ts';

let server: SharedServer;
let ada: Person;
let code: string;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
  const body = { url: 'https://hooks.example.com/in', events: ['serial.revoked'] };
  await call(server, 'POST', '/api/webhooks', { token: ada.token, body });
  const product = await makeProduct(server, ada.token);
  const [serial] = await makeSerials(server, ada.token, product.id);
  code = serial?.code as string;
  await call(server, 'PATCH', `/api/serials/revoke/${serial?.id}`, { token: ada.token, body: {} });
  // the feed has it once no earlier transaction can still commit, one of another worker's tests among them
  const feed = () => call(server, 'GET', '/api/webhook-events?type=serial.revoked', { token: ada.token });
  await vi.waitUntil(async () => (await feed()).body.events.length === 1, { timeout: 10_000 });
});

const tokenWith = async (...scopes: string[]): Promise<string> =>
  (await call(server, 'POST', '/api/account/tokens', { token: ada.token, body: { name: 'x', scopes } })).body.token;

it('the events and deliveries of webhooks name codes to those alone who may read serials', async () => {
  const read = async (token: string) => {
    const { events } = (await call(server, 'GET', '/api/webhook-events?type=serial.revoked', { token })).body;
    const [hook] = (await call(server, 'GET', '/api/webhooks', { token })).body.webhooks;
    const { rows } = (await call(server, 'GET', `/api/webhooks/${hook.id}/deliveries`, { token })).body;
    const delivery = (await call(server, 'GET', `/api/webhook-deliveries/${rows[0].id}`, { token })).body;
    return [events[0].data.code, JSON.parse(delivery.body).data.code];
  };
  expect(await read(await tokenWith('webhooks:read', 'serials:read'))).toEqual([code, code]);
  expect(await read(await tokenWith('webhooks:read'))).toEqual([undefined, undefined]);
});

it('any scope of a kind of data reads it, and a session has them all', () => {
  for (const [kind, byRole] of Object.entries(kinds))
    for (const { role, scope } of Object.entries<readonly string[]>(byRole).flatMap(([role, scopes]) =>
      scopes.map((scope) => ({ role, scope })),
    )) {
      const caller = { role, scopes: [scope] } as unknown as Parameters<typeof mayRead>[0];
      expect(mayRead(caller, kind as keyof typeof kinds)).toBe(true);
      expect(mayRead({ ...caller, scopes: ['account:read'] }, kind as keyof typeof kinds)).toBe(false);
      expect(mayRead({ ...caller, scopes: null }, kind as keyof typeof kinds)).toBe(true);
    }
});
