import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('asks a musician for a name once for each developer, whatever another developer knows', async () => {
  const [ada, ben] = [await signUp(server), await signUp(server)];
  const codeOf = async (token: string) => {
    const product = await makeProduct(server, token);
    return (await makeSerials(server, token, product.id))[0]?.code as string;
  };
  const [first, second] = [await codeOf(ada.token), await codeOf(ben.token)];
  await redeem(server, first, 'nina@example.com', ada.id);
  const elsewhere = await call(server, 'POST', '/api/redeem/initiate', {
    body: { serial: second, email: 'nina@example.com', dev: ben.id },
  });
  expect(elsewhere.body).toEqual({ require_name: true, temp_token: expect.any(String) });
});
