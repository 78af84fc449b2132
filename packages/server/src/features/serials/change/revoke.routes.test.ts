import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { name: 'Delay; "Tape"', price: 30, sale_price: 20 });
});

describe('revoking', () => {
  it('shuts a serial and reassigning opens it again', async () => {
    const [serial] = await makeSerials(server, ada.token, product.id);
    const patch = (verb: string, token = ada.token) =>
      call(server, 'PATCH', `/api/serials/${verb}/${serial?.id}`, { token });
    expect((await patch('revoke', (await signUp(server)).token)).status).toBe(404);
    expect((await patch('revoke')).body).toMatchObject({ revoked: true, status: 'revoked' });
    expect((await patch('revoke')).status).toBe(200);
    const refused = await redeem(server, serial?.code as string, 'nina@example.com');
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      403,
      'serial_revoked',
      'This license has been suspended.',
    ]);
    expect((await patch('reassign')).body).toMatchObject({ revoked: false, status: 'active' });
    expect((await redeem(server, serial?.code as string, 'nina@example.com')).status).toBe(200);
  });
});
