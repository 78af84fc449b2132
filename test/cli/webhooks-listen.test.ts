import { connect, createServer, type Socket } from 'node:net';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { listening } from '@tonerow/test-support/egress-peers.ts';
import { makeProduct, makeSerials, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { freePort } from '@tonerow/test-support/process.ts';
import { startReceiver } from '@tonerow/test-support/receiver.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
});

const env = () => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token });

it('tonerow webhooks listen goes on when the server comes back, and misses nothing', async () => {
  const sockets = new Set<Socket>();
  const between = createServer((here) => {
    const there = connect(Number(new URL(server.url).port), '127.0.0.1');
    for (const socket of [here, there]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    here.pipe(there).pipe(here);
  });
  // a port that no connection is given while nobody listens
  const port = await listening(between, '127.0.0.1', await freePort());
  const cut = () => {
    between.close();
    for (const socket of sockets) socket.destroy();
  };
  const errors: string[] = [];
  const line = ['webhooks', 'listen', '--events', 'batch.generated', '--count', '2'];
  const listens = runCommand(line, {
    env: { ...env(), TONEROW_URL: `http://127.0.0.1:${port}` },
    tty: true,
    onError: (text) => errors.push(text),
  });
  await expect.poll(() => errors.join(''), { timeout: 10_000 }).toContain('Listening.');
  const product = await makeProduct(server, ada.token);
  await makeSerials(server, ada.token, product.id, { quantity: 1 });
  cut();
  await expect
    .poll(() => errors.join(''), { timeout: 30_000 })
    .toContain('The server cannot be reached. Trying again …');
  await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await listening(between, '127.0.0.1', port);
  const { code, out, err } = await listens;
  expect(code).toBe(0);
  expect(out.match(/batch\.generated/g)).toHaveLength(2);
  expect(err).toContain('Listening again.');
  cut();
});

it('tonerow webhooks listen prints what a jq program makes of each event', async () => {
  const line = ['webhooks', 'listen', '--events', 'batch.generated', '--count', '1', '--jq', '.event.type'];
  const listens = runCommand(line, { env: env() });
  const listeners = () => server.db.query('select 1 from webhook_endpoints where listens_until is not null');
  await expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1);
  await makeSerials(server, ada.token, (await makeProduct(server, ada.token)).id, { quantity: 1 });
  expect(await listens).toEqual({ code: 0, out: 'batch.generated\n', err: '' });
});

it('tonerow webhooks listen goes on when the last event that it read is older than events are kept', async () => {
  const local = await startReceiver();
  const line = ['webhooks', 'listen', '--events', 'batch.generated', '--count', '3', '--forward-to', local.url];
  const listens = runCommand(line, { env: env() });
  const listeners = () => server.db.query('select 1 from webhook_endpoints where listens_until is not null');
  await expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1);
  const product = await makeProduct(server, ada.token);
  await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await local.wait(1);
  await server.db.query('delete from webhook_events');
  await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const { code, out } = await listens;
  expect([code, out.match(/batch\.generated/g)?.length]).toEqual([0, 3]);
  await local.stop();
});

it('tonerow webhooks listen leaves out what * does not cover, although a webhook has it recorded', async () => {
  const created = ['webhooks', 'create', 'https://example.com/hooks', '--events', 'license.refused'];
  expect((await runCommand(created, { env: env() })).code).toBe(0);
  const line = ['webhooks', 'listen', '--events', '*', '--count', '1', '--jq', '.event.type'];
  const product = await makeProduct(server, ada.token);
  const listens = runCommand(line, { env: env() });
  const listeners = () => server.db.query('select 1 from webhook_endpoints where listens_until is not null');
  await expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1);
  expect((await runCommand(['webhooks', 'trigger', 'license.refused'], { env: env() })).code).toBe(0);
  await makeSerials(server, ada.token, product.id, { quantity: 1 });
  expect((await listens).out).toBe('batch.generated\n');
});

it('tonerow webhooks listen refuses to forward to what is no URL', async () => {
  const { code, err } = await runCommand(['webhooks', 'listen', '--forward-to', 'http://'], { env: env() });
  expect([code, err]).toEqual([64, expect.stringContaining('--forward-to takes a URL')]);
});

it('tonerow webhooks listen suggests the name of an event that was meant', async () => {
  const { code, err } = await runCommand(['webhooks', 'listen', '--events', 'serial.redemed'], { env: env() });
  expect([code, err]).toEqual([64, expect.stringContaining('Did you mean serial.redeemed?')]);
});
