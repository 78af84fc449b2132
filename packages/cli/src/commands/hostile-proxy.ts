import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../exit.ts';

interface Options {
  lie: string;
  port: number;
  /** The server that is lied about. */
  target: string;
  token: string | undefined;
  log(line: string): void;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const SLOW_MS = 60_000;

/** What comes back instead of the server's answer; null: nothing at all. */
type Lie = (answer: () => Promise<Answer>, path: string) => Promise<Answer | null>;

function liesWith(token: string | undefined): Record<string, Lie> {
  const remembered = new Map<string, Answer>();
  const withToken = (answer: Answer, change: (token: string) => string): Answer => ({
    ...answer,
    body: answer.body.replace(/("(?:validation|new)_token":")([^"]+)(")/, (_all, before, inside, after) => {
      return `${before}${change(inside)}${after}`;
    }),
  });
  return {
    forged: async (answer) =>
      withToken(await answer(), (text) => {
        const at = text.lastIndexOf('.') + 1;
        return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
      }),
    'other-token': async (answer) => withToken(await answer(), () => token ?? 'eyJhbGciOiJub25lIn0.e30.'),
    replay: async (answer, path) => {
      const known = remembered.get(path) ?? (await answer());
      remembered.set(path, known);
      return known;
    },
    'always-yes': async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"ok":true,"status":"active","max_activations":99,"remaining":99}',
    }),
    error: async () => ({
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: '{"ok":false,"status":"server_error","error":"Something went wrong on the server."}',
    }),
    slow: async (answer) => {
      await pause(SLOW_MS, undefined, { ref: false });
      return answer();
    },
    offline: async () => null,
  };
}

/** A server on this machine's own address that hands on what plugins ask, and lies about what came back. */
export async function startHostileProxy(options: Options): Promise<{ url: string; close(): Promise<void> }> {
  const lie = liesWith(options.token)[options.lie];
  if (!lie) throw new UsageError(`The lies are ${Object.keys(liesWith(undefined)).join(', ')}.`);
  const server = createServer((request, response) => {
    const tell = async () => {
      const body = await bodyOf(request);
      const path = request.url ?? '/';
      const answer = await lie(() => forward(options.target, request, body), path);
      options.log(`${request.method} ${path.split('?')[0]} → ${answer ? answer.status : 'nothing'}`);
      if (!answer) return request.socket.destroy();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    };
    tell().catch(() => response.writeHead(502).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function forward(target: string, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
  ) as Record<string, string>;
  const response = await fetch(target + (request.url ?? '/'), {
    method: request.method ?? 'GET',
    headers,
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
  const kept = ['content-type', 'x-tonerow-signature', 'x-tonerow-date', 'x-tonerow-nonce', 'retry-after'];
  const own = Object.fromEntries(
    kept.flatMap((name) => (response.headers.get(name) ? [[name, response.headers.get(name) as string]] : [])),
  );
  return { status: response.status, headers: own, body: await response.text() };
}
