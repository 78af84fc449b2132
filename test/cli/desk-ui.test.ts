import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { spawn as spawnPty } from '@lydell/node-pty';
import { call, makeProduct, makeSerials, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { BIN, openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let ada: Awaited<ReturnType<typeof signUpVerified>>;
let cable: Awaited<ReturnType<typeof openCable>>;
let code: string;
let id: string;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
  const product = await makeProduct(server, ada.token, { name: 'Prism Delay', price: 40 });
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 3 });
  code = serial?.code ?? '';
  id = serial?.id ?? '';
  await redeem(server, code, 'nina@example.com', ada.id);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  await server.db.query('update serials set download_count = 5 where id = $1', [id]);
  cable = await openCable(Number(new URL(server.url).port));
  terminal = await openTerminal(() => ({ TONEROW_URL: cable.url, TONEROW_TOKEN: ada.token }));
});
afterAll(async () => {
  cable.cut();
  await terminal.close();
});

/** Opens a connection between the terminal and the server that can be cut. */
async function openCable(port: number) {
  const sockets = new Set<Socket>();
  let whole = true;
  const between = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  between.unref();
  return {
    url: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    cut() {
      whole = false;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      whole = true;
    },
  };
}

function open() {
  const { home: cwd } = terminal;
  const pty = spawnPty(process.execPath, [BIN, 'ui'], { env: terminal.environment(), cols: 140, rows: 30, cwd });
  let screen = '';
  pty.onData((text) => {
    screen += text;
  });
  return {
    ended: new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode))),
    see: (text: string | RegExp) =>
      expect
        .poll(() => screen, { timeout: 15_000 })
        [typeof text === 'string' ? 'toContain' : 'toMatch'](text as string),
    press(keys: string) {
      screen = '';
      pty.write(keys);
    },
  };
}

it('answers why a customer cannot download, mends it by key after asking with the price, and shows changes as they come', async () => {
  const { see, press, ended } = open();
  await see('1 Products');
  press('4');
  await see('nina@example.com');
  press('\r');
  await see(`Download limit reached (Prism Delay, ${code}) · Reset downloads ($0.03)`);
  await see('d reset downloads ($0.03)');
  // from the customer to the serial
  press('1');
  await see('Downloads   5/5');
  await see('Redeem link http');
  press('d');
  await see(`Reset the downloads of ${code} for $0.03? y/N`);
  press('n');
  await see('Nothing was changed.');
  press('d');
  await see('y/N');
  press('y');
  await see('Downloads reset, charged: $0.03');
  await see('Downloads   0/5');
  // money moves only after the sum was read
  press('f');
  await see('Reason, which a reseller reads too:');
  press('Bought three times\r');
  await see(`Record that $40.00 of ${code} went back? y/N`);
  press('n');
  await see('Nothing was changed.');
  // somebody else revokes it
  press('u');
  await see('r revoke');
  await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
  await call(server, 'POST', `/api/serials/${id}/refund`, { token: ada.token, body: { reason: 'Bought twice' } });
  await see(/Revoked/);
  await see('r reassign');
  press('r');
  await see(`Reassign ${code}? y/N`);
  press('y');
  await see(`Reassigned ${code}`);
  // a note from what is typed, then back to the customer, whose page has it
  press('n');
  await see('Note, which only you read:');
  press('Called twice\r');
  await see('Noted.');
  press('s');
  await see('Seats, now');
  press('many\r');
  await see('SEATS takes a whole number, not "many".');
  press('o');
  await see('Address of the new owner:');
  press('otis@example.com\r');
  await see(`Move ${code} from nina@example.com to otis@example.com? Both get an email. y/N`);
  press('y');
  await see(`${code} belongs to otis@example.com now.`);
  press('\x1b');
  await see('Called twice');
  press('e');
  await see('New address of nina@example.com:');
  press('nina.simone@example.com\r');
  await see('Change nina@example.com to nina.simone@example.com? Both addresses are told. y/N');
  press('y');
  await see('Changed to nina.simone@example.com.');
  press('\x1b');
  await see('←→ tabs');
  press('q');
  expect(await ended).toBe(0);
});

it('reports a connection that is gone, keeps what it shows, and goes on when it is back', async () => {
  const { see, press, ended } = open();
  await see('Prism Delay');
  press('3');
  await see(code);
  cable.cut();
  await see('Connection lost, trying again. What you see may be old.');
  press('u');
  await see(code);
  cable.mend();
  await see(cable.url);
  // changes made meanwhile are there without a key
  await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
  await call(server, 'POST', `/api/serials/${id}/refund`, { token: ada.token, body: { reason: 'Bought twice' } });
  await see(/ revoked/);
  press('q');
  expect(await ended).toBe(0);
});
