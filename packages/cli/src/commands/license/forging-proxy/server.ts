import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, UsageError } from '#exit.ts';
import { type ForgeryName, forgeries, isForgery } from './forgeries.ts';
import { forgedParts, isSigned, tokenIn, withToken } from './signed-parts.ts';
import { aboutSerial, NEEDS_TEST_KEY, tokenSerials } from './tokens.ts';

interface Options {
  forgery: string;
  port: number;
  /** The real server. */
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

/** A plugin's request, and ways to send it on. */
interface Exchange {
  path: string;
  body: string;
  /** The plugin's credential, as one string. */
  who: string;
  /** The server's answer. */
  answer(): Promise<Answer>;
  /** The server's answer to another request by the same plugin. */
  ask(path: string, body: string): Promise<Answer>;
  log(line: string): void;
}

/** The answer to send instead of the server's; null closes the connection. */
type Forgery = (exchange: Exchange) => Promise<Answer | null>;

const NOTHING_SIGNED = 'The next response has nothing to forge and is passed on unchanged.';
const NO_TOKEN = 'The next response has no token and is passed on unchanged.';

function forgeriesWith(token: string | undefined): Record<ForgeryName, Forgery> {
  const remembered = new Map<string, Answer>();
  return {
    forged: async ({ answer, log }) => {
      const genuine = await answer();
      if (!isSigned(genuine.body)) log(NOTHING_SIGNED);
      return { ...genuine, body: forgedParts(genuine.body) };
    },
    'other-token': async ({ answer, log }) => {
      const genuine = await answer();
      if (tokenIn(genuine.body) === undefined) log(NO_TOKEN);
      return { ...genuine, body: withToken(genuine.body, token as string) };
    },
    expired: signedForgery(tokenSerials.expired as string),
    'wrong-product': signedForgery(tokenSerials['wrong-product'] as string),
    replay: async ({ answer, path }) => {
      const known = remembered.get(path) ?? (await answer());
      remembered.set(path, known);
      return known;
    },
    'always-yes': async ({ path }) => yesTo(path),
    error: async () => ({
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: '{"ok":false,"status":"server_error","error":"Something went wrong on the server."}',
    }),
    slow: async ({ answer }) => {
      await pause(SLOW_MS, undefined, { ref: false });
      return answer();
    },
    offline: async () => null,
  };
}

/** A yes in the language of the route, by which no plugin can prove anything. */
function yesTo(path: string): Answer {
  const [type, body] = path.includes('/juce/')
    ? ['text/xml', '<?xml version="1.0" encoding="UTF-8"?>\n<MESSAGE message="Thank you. The plugin is unlocked."/>\n']
    : path.includes('/keyfile') || path.includes('/offline')
      ? ['text/plain', 'Keyfile for your plugin\r\n']
      : ['application/json', '{"ok":true,"status":"active","max_activations":99,"remaining":99}'];
  return { status: 200, headers: { 'content-type': type }, body };
}

/** Answers with the token of a test serial. Without one the plugin gets no answer: another forgery would mislead its developer. */
function signedForgery(serial: string): Forgery {
  // asked only once, because the server treats repeated requests for unknown serials as guessing
  const useless = new Set<string>();
  return async ({ path, body, who, answer, ask, log }) => {
    const genuine = await answer();
    const inside = tokenIn(genuine.body);
    if (inside === undefined) {
      log(NO_TOKEN);
      return genuine;
    }
    if (useless.has(who)) throw new Error(NEEDS_TEST_KEY);
    const question = aboutSerial(serial, { path, body }, inside);
    const forgery = await ask(question.path, question.body);
    const token = tokenIn(forgery.body);
    if (token === undefined) {
      if (forgery.status !== 404) throw new Error(`The server issued no token to forge (${forgery.status}).`);
      useless.add(who);
      throw new Error(NEEDS_TEST_KEY);
    }
    // a plugin that requires signed answers would refuse a changed one before looking at the token
    const signed = genuine.headers['x-tonerow-signature'] !== undefined && question.path === path;
    return signed ? forgery : { ...genuine, body: withToken(genuine.body, token) };
  };
}

/** A local proxy that forwards the requests of plugins and falsifies the answers. */
export async function startForgingProxy(options: Options): Promise<{ url: string; close(): Promise<void> }> {
  if (!isForgery(options.forgery))
    throw new UsageError(`The forged responses are ${Object.keys(forgeries).join(', ')}.`);
  if (options.forgery === 'other-token' && !options.token) throw new UsageError('other-token needs --token-file.');
  const forgery = forgeriesWith(options.token)[options.forgery];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const logAnswer = (what: string | number) => options.log(`${request.method} ${path.split('?')[0]} → ${what}`);
    const respond = async () => {
      const body = await bodyOf(request);
      const ask = (at: string, text: Buffer) => forward(options.target + at, request, text);
      const answer = await forgery({
        path,
        body: body.toString(),
        who: whoIs(request),
        answer: () => ask(path, body),
        ask: (at, text) => ask(at, Buffer.from(text)),
        log: options.log,
      });
      logAnswer(answer ? answer.status : 'nothing');
      if (!answer) return request.socket.destroy();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    };
    respond().catch((error: Error) => {
      logAnswer(`502: ${error.message}`);
      response.writeHead(502).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Failure(`Port ${options.port} is in use. Choose another with --port.`)
          : error,
      ),
    );
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

function whoIs({ url, headers }: IncomingMessage): string {
  const sent = ['authorization', 'x-ss-api-key', 'x-app-id', 'x-app-key'].map((name) => headers[name]);
  return JSON.stringify([...sent, url?.split('?')[1]]);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function forward(url: string, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
  ) as Record<string, string>;
  const response = await fetch(url, {
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
