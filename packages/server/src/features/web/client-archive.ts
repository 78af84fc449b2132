import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { tarOf } from './tar.ts';

const MOST = 200;

export interface ClientArchive {
  bytes: Buffer;
  etag: string;
}

/** The built terminal client as npm installs it: what `npm pack` makes, without npm. Null: it is not built. */
export async function clientArchive(folder: string): Promise<ClientArchive | null> {
  const built = [...(await filesIn(folder, 'bin')), ...(await filesIn(folder, 'dist'))];
  if (!built.includes('dist/cli.cjs')) return null;
  const names = ['package.json', ...built.filter((name) => name !== 'dist/.built').sort()];
  if (names.length > MOST) throw new Error(`${folder} holds more than a client: ${names.length} files`);
  const files = await Promise.all(
    names.map(async (name) => ({
      name: `package/${name}`,
      mode: name.startsWith('bin/') ? 0o755 : 0o644,
      content: await readFile(path.join(folder, name)),
    })),
  );
  const bytes = await promisify(gzip)(tarOf(files), { level: 9 });
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
}

async function filesIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}
