import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** An answer as it goes over the network. */
export interface WireAnswer {
  status: number;
  type: string;
  body: string;
  /** Sends pieces of unknown number, as a stream. Otherwise the length is sent in front. */
  chunked?: boolean;
  headers?: Record<string, string>;
}

/** The server that one run of a command meets. */
export interface Scene {
  /** The answers, by `METHOD /path`. */
  answers: Record<string, WireAnswer>;
  /** The answer that breaks off: after how many bytes, and how often. */
  cut?: { call: string; after: number; times: number; reset?: boolean };
  /** Called before the answer to each call is sent; it may keep it waiting. */
  onCall?: (call: string) => void | Promise<void>;
}

export interface ReceivedCall {
  call: string;
  key: string | undefined;
}

const REASON = 'Said';

/** The bytes of an answer, its head and its body. */
export function bytesOf({ status, type, body, chunked, headers = {} }: WireAnswer): Buffer {
  const length = chunked ? 'transfer-encoding: chunked' : `content-length: ${Buffer.byteLength(body)}`;
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${REASON}\r\ncontent-type: ${type}\r\n${length}\r\n${more.join('')}\r\n`;
  return Buffer.from(head + (chunked ? inChunks(body) : body));
}

function inChunks(body: string): string {
  const half = Math.ceil(body.length / 2);
  const parts = [body.slice(0, half), body.slice(half)].filter((part) => part !== '');
  return `${parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
}

/** A server whose answers break off at any byte, each run of a command at its own. */
export async function startCutServer() {
  const scenes = new Map<string, { scene: Scene; received: ReceivedCall[]; left: number }>();
  const server = createServer((request, response) => {
    // each run has an address of its own, as behind a proxy that serves the API under a path
    const [, number = '', rest = '/'] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
    request.resume().on('end', async () => {
      const run = scenes.get(number);
      const call = `${request.method} ${rest.split('?')[0]}`;
      run?.received.push({ call, key: keyOf(request) });
      await run?.scene.onCall?.(call);
      const answer = run?.scene.answers[call];
      if (!run || !answer) return response.writeHead(500).end(`no answer to ${call}`);
      const { cut } = run.scene;
      if (cut?.call === call && run.left > 0) {
        run.left -= 1;
        return breakOff(request.socket, bytesOf(answer).subarray(0, cut.after), cut.reset === true);
      }
      response.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers });
      if (answer.chunked) response.write(answer.body.slice(0, 1));
      return response.end(answer.chunked ? answer.body.slice(1) : answer.body);
    });
    request.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** The address for one run of a command, and what it called there. */
    play: (scene: Scene) => {
      const number = String(scenes.size + 1);
      const received: ReceivedCall[] = [];
      scenes.set(number, { scene, received, left: scene.cut?.times ?? 0 });
      return { url: `${origin}/${number}`, received };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const keyOf = ({ headers }: IncomingMessage) => headers['idempotency-key'] as string | undefined;

function breakOff(socket: Socket, bytes: Buffer, reset: boolean): void {
  if (bytes.length === 0) {
    if (reset) socket.resetAndDestroy();
    else socket.end();
    return;
  }
  socket.write(bytes, () => (reset ? socket.resetAndDestroy() : socket.end()));
}
