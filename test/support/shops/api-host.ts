import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to a shop's API. */
export interface Asked {
  method: string;
  /** After the part that names the shop. */
  path: string;
  query: URLSearchParams;
  authorization: string;
  /** Shopify's. */
  token: string;
  body: string;
}

/** Answers a request; undefined is 404. */
export type Answering = (asked: Asked) => unknown;
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
}

/**
 * The APIs of shops, each under the name of its kind, on this machine: `TONEROW_SHOP_API_BASE`. It can be away, slow, refuse everybody or
 * answer what is none.
 */
export class ApiHost {
  readonly asked: Asked[] = [];
  /** The next answers instead of the normal ones, one for each request. Null: the normal answer. */
  readonly faults: ('500' | '429' | '401' | 'hangs up' | 'no JSON' | 'redirects' | null)[] = [];
  url = '';
  readonly #shops = new Map<string, Answering>();
  readonly #server = createServer((request, response) => {
    read(request)
      .then((body) => {
        const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
        const [, kind = '', ...rest] = pathname.split('/');
        const asked = {
          method: request.method ?? 'GET',
          path: `/${rest.map(decodeURIComponent).join('/')}`,
          query,
          authorization: request.headers.authorization ?? '',
          token: String(request.headers['x-shopify-access-token'] ?? ''),
          body,
        };
        this.asked.push(asked);
        const fault = this.faults.shift();
        if (fault === 'hangs up') return request.socket.destroy();
        if (fault === 'no JSON') return response.end('<html>Too many plug-ins</html>');
        if (fault === 'redirects') return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
        if (fault) return response.writeHead(Number(fault)).end();
        const sent = this.#shops.get(kind)?.(asked);
        if (sent === undefined) return response.writeHead(404).end('{}');
        const { status = 200, headers = {}, json } = isAnswer(sent) ? sent : { json: sent };
        return response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify(json ?? null));
      })
      .catch(() => request.socket.destroy());
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  /** Settings of the server that asks it. */
  get env(): Record<string, string> {
    return { TONEROW_SHOP_API_BASE: this.url, TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' };
  }

  serve(kind: string, answering: Answering): void {
    this.#shops.set(kind, answering);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Marks an answer with a status or headers of its own. */
export const answer = (sent: Answer): Answer & { [ANSWER]: true } => ({ ...sent, [ANSWER]: true });
const ANSWER = Symbol('answer');
const isAnswer = (sent: unknown): sent is Answer => typeof sent === 'object' && sent !== null && ANSWER in sent;

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Sends a body of bytes, and reads the answer away. */
export async function send(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; text: string }> {
  const got = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
  return { status: got.status, text: await got.text() };
}
