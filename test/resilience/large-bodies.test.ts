import { connect } from 'node:net';
import { makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

// Most clients send the whole body before they read the response. A connection that is closed under them is a
// broken pipe, and the response is lost; so after an early refusal the server keeps reading the body for a while.

const MB = 1024 * 1024;
let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
});

interface Sent {
  status: number;
  text: string;
  error: string | null;
  written: number;
}

/** Sends a body like a client that writes first and reads then. */
function send(path: string, head: Record<string, string>, bytes: number, chunked = false, method = 'POST') {
  return new Promise<Sent>((resolve) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const sent: Sent = { status: 0, text: '', error: null, written: 0 };
    const [opening, ending] = head['content-type']?.startsWith('multipart')
      ? ['--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n', '\r\n--x--\r\n']
      : ['"', '"'];
    const headers = {
      host: `${hostname}:${port}`,
      ...head,
      ...(chunked
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': String(opening.length + bytes + ending.length) }),
    };
    const frame = (data: Buffer) =>
      chunked ? Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]) : data;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      sent.error ??= error.code ?? error.message;
    });
    socket.on('close', () => resolve(sent));
    const pour = async () => {
      socket.write(
        `${method} ${path} HTTP/1.1\r\n${Object.entries(headers)
          .map(([k, v]) => `${k}: ${v}\r\n`)
          .join('')}\r\n`,
      );
      socket.write(frame(Buffer.from(opening)));
      for (; sent.written < bytes && !socket.destroyed; sent.written += 64 * 1024)
        if (!socket.write(frame(Buffer.alloc(64 * 1024, 'a'))))
          await new Promise((go) => socket.once('drain', go).once('close', go));
      if (!socket.destroyed) socket.write(frame(Buffer.from(ending)));
      if (chunked && !socket.destroyed) socket.write('0\r\n\r\n');
      // only now it reads
      socket.on('data', (data) => {
        sent.text += data;
        sent.status = Number(/^HTTP\/1.1 (\d+)/.exec(sent.text)?.[1] ?? 0);
        if (sent.text.includes('}')) socket.end();
      });
      socket.resume();
    };
    socket.pause();
    socket.once('connect', () => void pour());
  });
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'multipart/form-data; boundary=x' };
const bearer = () => ({ authorization: `Bearer ${ada.token}` });

it.each([
  ['JSON', () => send('/api/auth/login', json, 8 * MB), 413],
  ['JSON in chunks', () => send('/api/auth/login', json, 8 * MB, true), 413],
  ['JSON of somebody signed in', () => send('/api/products', { ...json, ...bearer() }, 8 * MB), 413],
  ['what a plugin sends', () => send('/api/license/v1/validate', json, 8 * MB), 413],
  ['an image', () => send('/api/products/upload-logo', { ...form, ...bearer() }, 30 * MB), 413],
  ['an image in chunks', () => send('/api/products/upload-logo', { ...form, ...bearer() }, 30 * MB, true), 413],
  ['a logo at registration', () => send('/api/auth/register', form, 30 * MB), 413],
  ['an import without a credential', () => send('/api/serials/import-available', form, 30 * MB), 401],
  ['an import of the wrong type', () => send('/api/serials/import-available', { ...json, ...bearer() }, 8 * MB), 413],
  ['a body for an address that there is not', () => send('/api/nothing', json, 8 * MB), 413],
])('%s that is refused is answered, and its connection not cut', async (_what, ask, status) => {
  const sent = await ask();
  expect([sent.error, sent.status]).toEqual([null, status]);
});

it('reads the rest for a while only', async () => {
  const { id } = await makeProduct(server, ada.token);
  const sent = await send(`/api/products/${id}`, { ...json, ...bearer() }, 4096 * MB, true, 'PUT');
  expect(sent.written).toBeLessThan(512 * MB);
});
