import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Dns, pointsTo, systemDns } from './dns.ts';

const of = (records: Record<string, string[]>): Dns & { asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    async cname(host) {
      asked.push(host);
      if (records[host]?.includes('!')) throw new Error('SERVFAIL');
      return records[host] ?? [];
    },
  };
};
const target = 'domains.tonerow.example';

describe('a host', () => {
  it('points here when it is an alias of the target, in any spelling, in at most five steps', async () => {
    expect(await pointsTo(of({ a: [target] }), 'a', target)).toBe('here');
    expect(await pointsTo(of({ a: ['Domains.Tonerow.Example.'] }), 'a', target)).toBe('here');
    expect(await pointsTo(of({ a: ['b'], b: ['c'], c: ['d'], d: ['e'], e: [target] }), 'a', target)).toBe('here');
    expect(await pointsTo(of({ a: ['b'], b: ['c'], c: ['d'], d: ['e'], e: ['f'], f: [target] }), 'a', target)).toBe(
      'elsewhere',
    );
  });

  it('points elsewhere without an alias, with another, and when aliases go in circles', async () => {
    expect(await pointsTo(of({}), 'a', target)).toBe('elsewhere');
    expect(await pointsTo(of({ a: [`${target}.evil.example`] }), 'a', target)).toBe('elsewhere');
    const circle = of({ a: ['b'], b: ['a'] });
    expect([await pointsTo(circle, 'a', target), circle.asked.length]).toEqual(['elsewhere', 5]);
  });

  it('is unknown when DNS cannot be queried', async () => {
    expect(await pointsTo(of({ a: ['!'] }), 'a', target)).toBe('unknown');
    expect(await pointsTo(of({ a: ['b'], b: ['!'] }), 'a', target)).toBe('unknown');
  });
});

describe('the system’s DNS', () => {
  // a resolver of our own, so that nothing leaves the machine
  let socket: Socket;
  let port: number;
  let rcode: number | 'alias' | 'silence';
  beforeAll(async () => {
    socket = createSocket('udp4');
    socket.on('message', (query, from) => {
      if (rcode === 'silence') return;
      const end = query.indexOf(0, 12) + 5;
      const header = Buffer.from(query.subarray(0, 12));
      header.writeUInt16BE(0x8180 | (rcode === 'alias' ? 0 : rcode), 2);
      header.writeUInt16BE(rcode === 'alias' ? 1 : 0, 6);
      header.writeUInt16BE(0, 8);
      header.writeUInt16BE(0, 10);
      const name = Buffer.from('\x07domains\x07tonerow\x07example\0', 'latin1');
      const answer = Buffer.concat([Buffer.from([0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, name.length]), name]);
      const question = query.subarray(12, end);
      socket.send(Buffer.concat([header, question, ...(rcode === 'alias' ? [answer] : [])]), from.port, from.address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    port = socket.address().port;
  });
  afterAll(() => socket.close());

  const ask = () => systemDns([`127.0.0.1:${port}`]).cname('app.row.example');

  it('answers the alias', async () => {
    rcode = 'alias';
    expect(await ask()).toEqual([target]);
  });

  it.each([
    ['no such record', 0],
    ['no such host', 3],
  ])('answers nothing for %s', async (_what, code) => {
    rcode = code;
    expect(await ask()).toEqual([]);
  });

  it('throws when it is refused', async () => {
    rcode = 2;
    await expect(ask()).rejects.toThrow();
  });

  it('gives up after three seconds of silence', async () => {
    rcode = 'silence';
    const start = performance.now();
    await expect(ask()).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(4500);
  }, 10_000);
});
