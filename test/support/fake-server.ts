import { createServer } from 'node:http';

/** Status, JSON (or CSV, when it is a text), and headers. */
export type FakeAnswer = [status: number, body: unknown, headers?: Record<string, string>];

interface Seen {
  method: string;
  url: string;
  authorization: string | undefined;
  body: string;
}

/** A server with an answer for each `METHOD /path`, once it listens; everything else is not found. */
export function fakeServer() {
  const fake = {
    url: '',
    seen: [] as Seen[],
    answers: {} as Record<string, FakeAnswer | Promise<FakeAnswer>>,
    reset: () => {
      fake.seen = [];
      fake.answers = {};
    },
    listen: async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      fake.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      const { method = '', url = '', headers } = request;
      fake.seen.push({ method, url, authorization: headers.authorization, body });
      const [status, answer, more] = (await fake.answers[`${method} ${url.split('?')[0]}`]) ?? [
        404,
        { code: 'not_found', message: 'Not found.' },
      ];
      const isText = typeof answer === 'string';
      response.writeHead(status, {
        'content-type': status >= 400 ? 'application/problem+json' : isText ? 'text/csv' : 'application/json',
        'x-request-id': 'r-1',
        ...more,
      });
      response.end(isText ? answer : JSON.stringify(answer));
    });
  });
  return fake;
}

export async function startFakeServer() {
  const fake = fakeServer();
  await fake.listen();
  return fake;
}
