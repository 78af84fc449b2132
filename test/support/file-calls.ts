import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { systemRandom } from '../../packages/server/src/platform/random.ts';
import { folderStorage } from '../../packages/server/src/platform/storage/folder.ts';
import type { Storage } from '../../packages/server/src/platform/storage/storage.ts';
import { type Answer, call, type Person, signUp } from './http.ts';
import { startServer, type TestServer } from './server.ts';

export const MIB = 1024 * 1024;
/** How much one request of an upload brings. */
export const PART = 8 * MIB;

export interface FileServer {
  server: TestServer;
  clock: TestClock;
  random: ReturnType<typeof systemRandom>;
  /** The folder of the files. */
  folder: string;
  storage: Storage;
  /** Takes the place of the storage's own way to keep a part, until it is called without one. */
  putPartBy(putPart?: Storage['putPart']): void;
  ada: Person;
  stop(): Promise<void>;
}

/** A server that keeps files in a folder of its own, and somebody who uploads. */
export async function startFileServer(): Promise<FileServer> {
  const clock = new TestClock('2026-03-10T12:00:00Z');
  const random = systemRandom(clock);
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-product-files-'));
  const storage = folderStorage(folder, random);
  let { putPart } = storage;
  const server = await startServer({
    overrides: { clock, storage: { ...storage, putPart: (...args) => putPart(...args) } },
  });
  return {
    server,
    clock,
    random,
    folder,
    storage,
    putPartBy(other = storage.putPart) {
      putPart = other;
    },
    ada: await signUp(server),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The calls of somebody who uploads files and downloads them. */
export function fileCalls(scene: () => FileServer) {
  const create = (size: number, name = 'Reverb.zip', token = scene().ada.token) =>
    call(scene().server, 'POST', '/api/files', { token, body: { name, size } });
  const send = async (id: string, offset: number | string, part: Buffer, headers: Record<string, string> = {}) => {
    const response = await fetch(`${scene().server.url}/api/files/${id}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${scene().ada.token}`,
        'content-type': 'application/octet-stream',
        'upload-offset': String(offset),
        ...headers,
      },
      body: new Uint8Array(part),
    });
    return { status: response.status, headers: response.headers, body: await response.json() } as Answer;
  };
  return {
    create,
    send,
    get: (id: string, token = scene().ada.token) => call(scene().server, 'GET', `/api/files/${id}`, { token }),
    remove: (id: string, token = scene().ada.token) => call(scene().server, 'DELETE', `/api/files/${id}`, { token }),
    /** The names of what is stored. */
    objects: () => readdir(path.join(scene().folder, 'files')).catch(() => []),
    async upload(content: Buffer, name = 'Reverb.zip') {
      let file = (await create(content.length, name)).body;
      while (!file.complete) {
        const answer = await send(file.id, file.received, content.subarray(file.received, file.received + PART));
        if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
        file = answer.body;
      }
      return file as { id: string; url: string; name: string };
    },
    async linkOf(id: string): Promise<string> {
      const answer = await call(scene().server, 'GET', `/api/files/${id}/download`, { token: scene().ada.token });
      if (answer.status !== 302) throw new Error(`No link but ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.headers.get('location') as string;
    },
  };
}

export const download = (link: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(link, { method, headers });

export const sha = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');

/** A request that is written and read by hand. */
export function raw(url: string, options: http.RequestOptions): http.ClientRequest {
  const request = http.request(url, { agent: false, ...options });
  request.on('error', () => undefined);
  return request;
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds()) return;
    await pause(25);
  }
  throw new Error('it never came true');
}
