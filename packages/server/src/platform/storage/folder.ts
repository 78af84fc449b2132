import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Random } from '../random.ts';
import { assertKey, ShortPart, type Storage } from './storage.ts';

const types: Record<string, string> = { webp: 'image/webp', png: 'image/png', gif: 'image/gif', jpg: 'image/jpeg' };
const UPLOAD = /^[0-9a-f-]{36}$/;
const PART = /^\d{1,5}\.[0-9a-f-]{36}$/;

/** Files below a folder. A half-written one is never seen: it gets its name when it is whole. */
export function folderStorage(root: string, random: Random): Storage {
  const locate = (key: string) => {
    assertKey(key);
    return path.join(root, key);
  };
  // each attempt at a part is a file of its own in the upload's folder, so that two of them never write to one file
  const uploadFolder = (key: string, uploadId: string) => {
    if (!UPLOAD.test(uploadId)) throw new Error('not an upload');
    return `${locate(key)}.${uploadId}.parts`;
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
    async get(key, range) {
      const file = locate(key);
      // opened now, not at the first read: a file deleted from here on is still read to its end
      const handle = await openFile(file);
      if (!handle) return null;
      const { size } = await handle.stat();
      const type = types[path.extname(file).slice(1)] ?? 'application/octet-stream';
      return {
        stream: handle.createReadStream(range ? { start: range.start, end: range.end } : {}),
        size: range ? Math.min(range.end, size - 1) - range.start + 1 : size,
        type,
      };
    },
    async stat(key) {
      const info = await stat(locate(key)).catch(ignoreAbsent);
      return info?.isFile() ? { size: info.size } : null;
    },
    async delete(key) {
      await rm(locate(key), { force: true });
    },
    async beginParts(key) {
      assertKey(key);
      return random.id();
    },
    async putPart(key, uploadId, number, body, size) {
      const folder = uploadFolder(key, uploadId);
      const name = `${number}.${random.id()}`;
      const file = path.join(folder, name);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const target = createWriteStream(file, { mode: 0o600, flush: true });
      try {
        await pipeline(body, target);
        if (target.bytesWritten !== size) throw new ShortPart();
        return name;
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
    },
    async completeParts(key, uploadId, parts) {
      const file = locate(key);
      const folder = uploadFolder(key, uploadId);
      for (const name of parts) if (!PART.test(name)) throw new Error('not a part');
      // next to the parts, so that whatever a crash leaves behind is deleted along with them
      const half = path.join(folder, `whole.${random.id()}`);
      try {
        const joined = (async function* () {
          for (const name of parts) yield* createReadStream(path.join(folder, name), { highWaterMark: 1024 * 1024 });
        })();
        await pipeline(joined, createWriteStream(half, { mode: 0o600, flush: true }));
        await rename(half, file);
      } catch (error) {
        await rm(half, { force: true });
        throw error;
      }
      await rm(folder, { recursive: true, force: true });
    },
    async abortParts(key, uploadId) {
      await rm(uploadFolder(key, uploadId), { recursive: true, force: true });
    },
    close: () => undefined,
  };
}

async function openFile(file: string): Promise<FileHandle | null> {
  const handle = await open(file).catch(ignoreAbsent);
  if (!handle) return null;
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return null;
}

function ignoreAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
