import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { startServer } from '@tonerow/test-support/server.ts';
import { expect, it } from 'vitest';
import { silentSockets } from './silent-sockets.ts';

it('closes sockets that have sent nothing, and none that has', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => asked.resolve(response));
  const closeSilent = silentSockets(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const opened = () => once(server, 'connection');
  const open = async () => {
    const arrived = opened();
    const socket = connect(port, '127.0.0.1');
    await arrived;
    return socket;
  };
  const silent = await open();
  const amid = await open();
  const busy = await open();
  amid.write('GET / HTTP/1.1\r\nHo');
  busy.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const response = await asked.promise;
  const closed = once(silent, 'close');
  closeSilent();
  await closed;
  expect([amid.closed, busy.closed]).toEqual([false, false]);
  response.end('done');
  expect(String(await once(busy, 'data'))).toContain('200 OK');
  amid.destroy();
  server.close();
});

it('hold up no stop of a server', async () => {
  const server = await startServer();
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  const begun = performance.now();
  await server.stop();
  await closed;
  // a stop waits 25 seconds for what is at work
  expect(performance.now() - begun).toBeLessThan(20_000);
});
