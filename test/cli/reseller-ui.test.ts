import { spawn as spawnPty } from '@lydell/node-pty';
import { call, makeProduct, makeSerials, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { BIN, openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let partners: Partners;
let product: { id: string };
beforeAll(async () => {
  server = await sharedServer();
  partners = await makePartners(server, 25);
  product = await makeProduct(server, partners.developer.token, { name: 'Prism Delay', price: 40 });
  const order = { quantity: 5, reseller_id: partners.partnershipId };
  const [sold] = await makeSerials(server, partners.developer.token, product.id, order);
  await redeem(server, sold?.code ?? '', 'nina@example.com');
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: partners.reseller.token }));
});
afterAll(async () => {
  await terminal.close();
});

function open() {
  const { home: cwd } = terminal;
  const pty = spawnPty(process.execPath, [BIN, 'ui'], { env: terminal.environment(), cols: 120, rows: 30, cwd });
  let screen = '';
  pty.onData((text) => {
    screen += text;
  });
  return {
    ended: new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode))),
    see: (text: string) => expect.poll(() => screen, { timeout: 30_000 }).toContain(text),
    press(keys: string) {
      screen = '';
      pty.write(keys);
    },
  };
}

it('shows a reseller the figures, the stock, the sales and the statements', async () => {
  const { see, press, ended } = open();
  await see('Commission earned');
  await see('$10.00');
  await see('4 of 5 left');
  await see('1 redeemed, 0 handed out, 25%');
  press('2');
  await see('4 available');
  await see('$40.00, 25%');
  press('3');
  await see('nina@example.com');
  press('\r');
  await see('Nina Simone <nina@example.com>');
  await see('$10.00 (25%)');
  press('\x1b');
  await see('←→ tabs');
  press('4');
  await see('Nothing here yet.');
  press('q');
  expect(await ended).toBe(0);
});

it('shows invitations as they arrive, and answers them after asking', async () => {
  const { see, press, ended } = open();
  await see('Commission earned');
  const other = await signUpVerified(server);
  await call(server, 'PUT', '/api/account/settings', { token: other.token, body: { company_name: 'Second Audio' } });
  const body = { email: partners.reseller.email, message: 'Sell our echo?', commission_rate: 30 };
  await call(server, 'POST', '/api/reseller/developer/invite-reseller', { token: other.token, body });
  await see('5 Invitations (1)');
  press('5');
  await see('Second Audio');
  press('\r');
  await see('Sell our echo?');
  press('\x1b');
  await see('←→ tabs');
  press('a');
  await see('Sell for Second Audio for a commission of 30%? y/N');
  press('n');
  await see('Nothing was changed.');
  press('a');
  await see('y/N');
  press('y');
  await see('Invitation accepted.');
  await see('Nothing here yet.');
  press('q');
  expect(await ended).toBe(0);
});
