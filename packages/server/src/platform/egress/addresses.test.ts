import { createServer as createHttpServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, type Server } from 'node:net';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { listening, opened, post } from '@tonerow/test-support/egress-peers.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AddressRules } from './address-rules.ts';
import { Egress, type Lookup } from './egress.ts';
import { urlProblem } from './url-rules.ts';

let target: Server;
let port: number;
let accepted = 0;

beforeAll(async () => {
  target = createServer((socket) => {
    accepted += 1;
    socket.destroy();
  });
  port = await listening(target, '::');
});
afterAll(() => {
  target.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Answers these addresses, one list at each question. */
const answering =
  (...answers: string[][]): Lookup =>
  (_host, options, done) => {
    const found = (answers.length > 1 ? answers.shift() : answers[0]) as string[];
    const all = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) (done as unknown as (error: null, all: object[]) => void)(null, all);
    else done(null, found[0] as string, 4);
  };

describe('an address that somebody else chose', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f000001',
    '127.1',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '168.63.129.16',
    '[fe80::1]',
    '[::7f00:1]',
    '[4000::1]',
    '10.0.0.1',
    '100.64.0.1',
  ])('is not connected to when it is this machine or another internal one: %s', async (host) => {
    const before = accepted;
    const egress = new Egress();
    for (const scheme of ['https', 'http']) {
      const answer = await post(egress, `${scheme}://${host}:${port}/`);
      expect(answer).toMatchObject({ status: null, error: 'address', headers: null, text: null });
    }
    expect(accepted).toBe(before);
    egress.close();
  });

  it.each([
    ['an internal address', [['127.0.0.1']]],
    ['a public one and an internal one', [['203.0.114.7', '127.0.0.1']]],
    ['an internal one in IPv6', [['::ffff:127.0.0.1']]],
    ['nothing', [[]]],
  ])('is not connected to when its name resolves to %s', async (_what, answers) => {
    const before = accepted;
    const egress = new Egress({ lookup: answering(...answers) });
    expect(await post(egress, `https://hooks.example.com:${port}/`)).toMatchObject({ error: 'address' });
    expect(accepted).toBe(before);
    egress.close();
  });

  it('is looked up at each connection, so that a name which changes is refused', async () => {
    const before = accepted;
    const seen: string[] = [];
    const changing: Lookup = (host, options, done) => {
      seen.push(host);
      answering(seen.length === 1 ? ['192.0.2.1'] : ['127.0.0.1'])(host, options, done);
    };
    const egress = new Egress({ lookup: changing, limits: { connectMs: 200 } });
    await post(egress, `https://hooks.example.com:${port}/`);
    expect(await post(egress, `https://hooks.example.com:${port}/`)).toMatchObject({ error: 'address' });
    expect(seen).toHaveLength(2);
    expect(accepted).toBe(before);
    egress.close();
  });

  it('is not connected to when it is one that this machine has on a network, although it is public by number', async () => {
    const own = ['203.0.114.9', '2600::9'];
    const others = ['203.0.114.10', '2600::a'];
    const isPublic = (address: string) => new AddressRules().isPublic(address);
    expect([...own, ...others].map(isPublic)).toEqual([true, true, true, true]);
    const mac = '02:00:00:00:00:01';
    const wan0: NetworkInterfaceInfo[] = [
      {
        address: '203.0.114.9',
        family: 'IPv4',
        netmask: '255.255.255.255',
        cidr: '203.0.114.9/32',
        mac,
        internal: false,
      },
      {
        address: '2600::9',
        family: 'IPv6',
        netmask: 'ffff:'.repeat(8).slice(0, -1),
        cidr: '2600::9/128',
        mac,
        internal: false,
        scopeid: 0,
      },
    ];
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({ ...os.networkInterfaces(), wan0 });
    syncBuiltinESMExports();
    expect(others.map(isPublic)).toEqual([true, true]);
    for (const address of [...own, '::ffff:203.0.114.9', '2600:0:0:0:0:0:0:9']) {
      expect(isPublic(address), address).toBe(false);
      const egress = new Egress({ lookup: answering([address]), limits: { connectMs: 200 } });
      expect(await post(egress, `https://hooks.example.com:${port}/`)).toMatchObject({ error: 'address' });
      egress.close();
    }
  });

  it.each([
    ['http://[fe80::1%25eth0]/', 'Enter an address such as https://example.com/hooks.'],
    ['https://[fe80::1%25eth0]/', 'Enter an address such as https://example.com/hooks.'],
    ['https://[fe80::1%eth0]/', 'Enter an address such as https://example.com/hooks.'],
    ['https://[::1%25lo]:5432/', 'Enter an address such as https://example.com/hooks.'],
    ['http://127.0.0.1:5432', 'The address must begin with https.'],
    ['http://localhost:5432', 'The address must begin with https.'],
    ['https://127.0.0.1:5432', 'Use a host name, not a network address.'],
    ['https://[::1]:5432', 'Use a host name, not a network address.'],
    ['https://localhost:5432', 'The host must be public.'],
    ['https://postgres:5432', 'The host must be public.'],
  ])('is refused when it is the database’s, or one of a network card: %s', (url, problem) => {
    expect(urlProblem(url, new AddressRules())).toBe(problem);
  });

  it('is not connected to when its name resolves to one of a network card, also where others are opened', async () => {
    const before = accepted;
    for (const address of ['fe80::1%eth0', '::1%lo'])
      for (const allow of [[], ['10.0.0.0/8', 'fd00::/8']]) {
        const egress = new Egress({ allow, lookup: answering([address]) });
        for (const scheme of ['https', 'http'])
          expect(await post(egress, `${scheme}://hooks.example.com:${port}/`)).toMatchObject({ error: 'address' });
        egress.close();
      }
    expect(accepted).toBe(before);
  });

  it('may be internal where the operator has opened its network, and nowhere else', () => {
    const rules = new AddressRules(['10.1.0.0/16', 'fd00::/8']);
    expect(['10.1.2.3', 'fd00::1'].map((address) => rules.isOpened(address))).toEqual([true, true]);
    expect(['10.2.0.1', '127.0.0.1', '::1'].map((address) => rules.isOpened(address))).toEqual([false, false, false]);
    expect(urlProblem('http://10.1.2.3:8080/hooks', rules)).toBeNull();
    expect(urlProblem('http://10.2.2.3:8080/hooks', rules)).toContain('host name');
    expect(urlProblem('https://hooks.example.com/', new AddressRules())).toBeNull();
  });

  it('may be one in IPv6 that the operator has opened', async () => {
    const server = createHttpServer((_request, response) => response.end('six'));
    const egress = opened();
    const url = `http://[::1]:${await listening(server, '::1')}/`;
    expect(await post(egress, url)).toMatchObject({ status: 200, text: 'six' });
    egress.close();
    server.close();
  });
});
