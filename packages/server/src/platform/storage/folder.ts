import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Random } from '../random.ts';
import { assertKey, type Storage } from './storage.ts';

const types: Record<string, string> = { webp: 'image/webp', png: 'image/png', gif: 'image/gif', jpg: 'image/jpeg' };

/** Files below a folder. A half-written one is never seen: it gets its name when it is whole. */
export function folderStorage(root: string, random: Random): Storage {
  const locate = (key: string) => {
    assertKey(key);
    return path.join(root, key);
  };
  return {
    async put(key, body) {
      const file = locate(key);
      const half = `${file}.${random.id()}.part`;
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      try {
        const source = Buffer.isBuffer(body) ? Readable.from([body]) : body;
        await pipeline(source, createWriteStream(half, { mode: 0o600, flush: true }));
        await rename(half, file);
      } catch (error) {
        await rm(half, { force: true });
        throw error;
      }
    },
    async get(key) {
      const file = locate(key);
      const info = await stat(file).catch(() => null);
      if (!info?.isFile()) return null;
      const type = types[path.extname(file).slice(1)] ?? 'application/octet-stream';
      return { stream: createReadStream(file), size: info.size, type };
    },
    async delete(key) {
      await rm(locate(key), { force: true });
    },
    close: () => undefined,
  };
}
