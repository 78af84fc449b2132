import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listening, opened, post } from '../../../../../test/support/egress-peers.ts';
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
