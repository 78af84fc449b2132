import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Sent {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface ReceivedRequest {
  method: string;
  /** The path without its query. */
  path: string;
  headers: IncomingHttpHeaders;
}

type Lie = (received: ReceivedRequest, truth: () => Promise<Sent>) => Sent | Promise<Sent>;

const KEPT = ['content-type', 'x-tonerow-signature', 'x-tonerow-date', 'x-tonerow-nonce', 'x-tonerow-signed'];

/** Sits at the server's address: forwards everything until a test sets a false response. */
export class SpoofedServer {
  readonly url: string;
  readonly received: ReceivedRequest[] = [];
  lie: Lie | null = null;
  readonly #close: () => void;

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.#close = close;
  }

  static async start(target: string): Promise<SpoofedServer> {
    const http = createServer(async (request, response) => {
      const body = await bodyOf(request);
      const { method = '', url = '', headers } = request;
      const received = { method, path: url.split('?', 1)[0] as string, headers };
      spoofed.received.push(received);
      const truth = () => forward(target + url, received, body);
      const sent = await (spoofed.lie?.(received, truth) ?? truth());
      response.writeHead(sent.status, sent.headers).end(sent.body);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const spoofed = new SpoofedServer(url, () => {
      http.closeAllConnections();
      http.close();
    });
    return spoofed;
  }

  stop(): void {
    this.#close();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

async function forward(url: string, { method, headers }: ReceivedRequest, body: string): Promise<Sent> {
  const sent = ['authorization', 'content-type', 'x-app-id', 'x-app-key', 'x-tonerow-nonce'].flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
  );
  const response = await fetch(url, {
    method,
    headers: Object.fromEntries(sent),
    ...(body === '' ? {} : { body }),
  });
  const kept = KEPT.map((name) => [name, response.headers.get(name)]).filter(([, value]) => value !== null);
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() };
}
