import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { sentOn } from './pace.ts';

/** More than the system takes of what nobody reads. */
const SIZE = 64 * 1024 * 1024;

it('what the system has taken of a large write is known of this Node’s sockets', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reader = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [writer] = (await once(server, 'connection')) as [Socket];
  try {
    const taken = new Promise<void>((resolve) => writer.write(Buffer.alloc(SIZE), () => resolve()));
    await once(reader, 'data', { signal: AbortSignal.timeout(10_000) });
    reader.pause();
    expect(writer.bytesWritten).toBe(SIZE);
    expect(sentOn(writer)).toBeGreaterThan(0);
    expect(sentOn(writer)).toBeLessThan(SIZE);
    reader.resume();
    await taken;
    expect(sentOn(writer)).toBe(SIZE);
  } finally {
    reader.destroy();
    writer.destroy();
    server.close();
  }
});
