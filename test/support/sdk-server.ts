import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ClientOptions } from '../../packages/sdk/src/index.ts';
import { createOperationClient } from '../../packages/sdk/src/operation-client.ts';

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse, count: number) => void;

/** A server that answers as it is told until the test is over, and a client that calls it and waits for no retry. */
export async function serverWith(handler: Handler, options: Partial<ClientOptions> = {}) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const slept: number[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      handler(Object.assign(request, { body }), response, seen.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const timing = {
    random: () => 0.5,
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  const url = `http://127.0.0.1:${port}`;
  return { api: createOperationClient({ baseUrl: `${url}/`, timing, ...options }), url, seen, slept };
}

export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': status < 400 ? 'application/json' : 'application/problem+json',
    ...headers,
  });
  response.end(JSON.stringify(body));
}
