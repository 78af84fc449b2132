import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stopwatch } from '../clock.ts';
import { resolverLookup } from './resolver-lookup.ts';

const A = 1;
const AAAA = 28;
const ADDRESSES: Record<number, Buffer> = {
  [A]: Buffer.from([203, 0, 114, 7]),
  [AAAA]: Buffer.from('20010db8000000000000000000000007', 'hex'),
};

// a resolver of our own, so that nothing leaves the machine
let socket: Socket;
let servers: string[];
/** The kinds of record that it answers with; to all else it is silent, or answers that there is none. */
let knows: number[];
let silent: boolean;

beforeAll(async () => {
  socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const kind = query.readUInt16BE(end - 4);
    const address = knows.includes(kind) ? ADDRESSES[kind] : undefined;
    if (!address && silent) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(address ? 1 : 0, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    const record = address
      ? Buffer.concat([Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0, address.length]), address])
      : Buffer.alloc(0);
    socket.send(Buffer.concat([header, query.subarray(12, end), record]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  servers = [`127.0.0.1:${socket.address().port}`];
});
afterAll(() => socket.close());

const look = (timeout?: number) =>
  new Promise<unknown>((resolve) =>
    resolverLookup(servers, timeout)('hooks.example.com', { all: true }, (error, found) =>
      resolve(error?.code ?? found),
    ),
  );

it('finds the addresses of both families', async () => {
  [knows, silent] = [[A, AAAA], false];
  expect(await look()).toEqual([
    { address: '203.0.114.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
});

it('finds those of one family when the other has none', async () => {
  [knows, silent] = [[AAAA], false];
  expect(await look()).toEqual([{ address: '2001:db8::7', family: 6 }]);
  knows = [];
  expect(await look()).toBe('ENOTFOUND');
});

it('gives a silent server up in time, however many names are asked for at once', async () => {
  [knows, silent] = [[], true];
  const started = stopwatch();
  const answers = await Promise.all(Array.from({ length: 40 }, () => look(300)));
  expect(new Set(answers)).toEqual(new Set(['ENOTFOUND']));
  expect(stopwatch() - started).toBeLessThan(3000);
});
