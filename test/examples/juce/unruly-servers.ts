import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Answers with 590 MB, as long as somebody takes them. */
export async function flooding() {
  let given = 0;
  const piece = Buffer.alloc(65_536, ' ');
  const server = await listening((_, response) => {
    const give = () => {
      while (!response.destroyed && given < 590_000_000) {
        given += piece.length;
        if (!response.write(piece)) return void response.once('drain', give);
      }
      response.end();
    };
    give();
  });
  return { ...server, given: () => given };
}

/** Answers a little at a time, and never comes to an end. */
export async function dripping() {
  const drips = new Set<NodeJS.Timeout>();
  const server = await listening((_, response) => {
    drips.add(setInterval(() => response.write(' '.repeat(40)), 20));
  });
  const close = () => {
    for (const each of drips) clearInterval(each);
    server.close();
  };
  return { url: server.url, close };
}
