import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  status: number;
  type: string;
  body: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

/** Answers that a server may give that is not the license server. */
export const LIES: Record<string, Answer> = {
  'a yes': json(200, { ok: true, status: 'active', max_activations: 99, remaining: 99 }),
  'a revocation': json(403, { ok: false, status: 'revoked', error: 'This serial was revoked.' }),
  'an unknown key': json(401, { ok: false, status: 'unauthorized', error: 'No.' }),
  'a web page': { status: 200, type: 'text/html', body: '<!doctype html><title>Welcome</title>' },
};

/** A server on this machine that a build is pointed at: it answers what it is told to, or never. */
export async function startFalseServer() {
  const asked: { url: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    asked.push({ url: request.url ?? '', body, headers: request.headers });
    const { answer } = own;
    if (answer) response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
  });
  const own = {
    url: '',
    asked,
    connections: 0,
    answer: null as Answer | null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', () => {
    own.connections += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  own.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return own;
}

export type FalseServer = Awaited<ReturnType<typeof startFalseServer>>;
