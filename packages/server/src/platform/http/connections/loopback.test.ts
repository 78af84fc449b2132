import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { alsoOnIpv6, listeningHost, trustBoth } from './loopback.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const broken = (error: Error) => {
  throw error;
};

async function listening(host: string): Promise<Server> {
  const server = createServer(({ socket }, response) => response.end(socket.remoteAddress));
  await new Promise<void>((resolve) => server.listen(0, listeningHost(host), resolve));
  onTestFinished(() => void server.close());
  return server;
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;

it.runIf(hasIpv6).each(['127.0.0.1', 'localhost'])(
  'what listens on %s answers on both of its addresses',
  async (host) => {
    const server = await listening(host);
    const twin = await alsoOnIpv6(server, host, broken);
    for (const address of ['127.0.0.1', '[::1]'])
      expect(await (await fetch(`http://${address}:${portOf(server)}/`)).text()).toBe(
        address === '[::1]' ? '::1' : '127.0.0.1',
      );
    expect(twin?.listening).toBe(true);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    expect(twin?.listening).toBe(false);
  },
);

it.runIf(hasIpv6)('a port that another program has there is left to it', async () => {
  const server = await listening('127.0.0.1');
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(portOf(server), '::1', resolve));
  onTestFinished(() => void other.close());
  const refused: Error[] = [];
  expect(await alsoOnIpv6(server, '127.0.0.1', (error) => refused.push(error))).toBeNull();
  expect(refused).toMatchObject([{ code: 'EADDRINUSE' }]);
});

it('any other address is the only one', async () => {
  expect(await alsoOnIpv6(await listening('127.0.0.1'), '0.0.0.0', broken)).toBeNull();
});

it('a proxy on this machine is trusted by either address, and no other with it', () => {
  expect(trustBoth(['127.0.0.1'])).toEqual(['127.0.0.1', '::1']);
  expect(trustBoth(['127.0.0.0/8', '10.0.0.1'])).toEqual(['127.0.0.0/8', '10.0.0.1', '::1']);
  expect(trustBoth(['10.0.0.0/8'])).toEqual(['10.0.0.0/8']);
});
