import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The state of one connection. */
export interface Attack {
  socket: Socket;
  /** The server's answer so far; empty for a connection that does not read. */
  answer(): string;
  closed(): boolean;
  /** Waits until the server closes it. */
  cut(withinMs?: number): Promise<void>;
  stop(): void;
}

function open(server: { url: string }, opening: string, reads = true): Attack {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  let closed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  if (reads) {
    socket.on('data', (chunk) => {
      answer += chunk;
    });
  } else socket.once('data', () => socket.pause());
  if (opening) socket.write(opening);
  return {
    socket,
    answer: () => answer,
    closed: () => closed,
    async cut(withinMs = 20_000) {
      for (const end = Date.now() + withinMs; Date.now() < end; await pause(25)) {
        // a socket that does not read only notices the close when it writes
        if (!reads && socket.writable) socket.write('\r\n');
        if (closed) return;
      }
      throw new Error(`the connection is still open: ${answer}`);
    },
    stop: () => socket.destroy(),
  };
}

const head = (method: string, path: string, token: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;

/** A connection that sends nothing. */
export const idle = (server: { url: string }) => open(server, '');

/** Sends a request and reads only the beginning of the response. */
export const unread = (server: { url: string }, path: string, token: string, accept = 'text/csv') =>
  open(server, head('GET', path, token, `Accept: ${accept}\r\n`), false);

/** Listens, as a dashboard does. */
export const listener = (server: { url: string }, token: string) =>
  open(server, head('GET', '/api/events', token, 'Accept: text/event-stream\r\n'));

/** An import whose body comes in pieces of so many bytes, every so often, without end. */
export function trickle(server: { url: string }, path: string, token: string, bytes: number, everyMs: number): Attack {
  const form = 'Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n';
  const attack = open(server, head('POST', path, token, form));
  const send = (text: string) => attack.socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
  send('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nSerial,Product\r\n');
  const timer = setInterval(() => send(`${'S'.repeat(Math.max(1, bytes - 2))}\r\n`), everyMs);
  attack.socket.once('close', () => clearInterval(timer));
  return attack;
}
