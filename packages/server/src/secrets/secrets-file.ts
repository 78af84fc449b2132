import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '#platform/errors.ts';

/**
 * The secret of a server without settings: made once, kept in the data folder, readable by its owner only.
 * Several lines are several secrets: the first signs and seals, the others only verify and open. To rotate, put a new
 * first line, start again, run `tonerow-server secrets rotate`, and take the old line away.
 * Losing it makes sealed keys unreadable, so it belongs into every backup of the folder.
 * @param make where a missing secret comes from; without it a missing one is an error.
 */
export async function secretsIn(dataDir: string, make?: () => string): Promise<string[]> {
  const file = path.join(dataDir, 'secret');
  if (make) await create(file, make);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new StartupError(
      `${file} is missing, although there is a database beside it. Restore it from a backup, or set TONEROW_SECRET.`,
    );
  });
  const secrets = text.split('\n').map((line) => line.trim());
  const usable = secrets.filter((line) => line !== '');
  if (usable.length === 0 || usable.some((secret) => secret.length < 32)) {
    throw new StartupError(`${file} holds no usable secret. Restore it from a backup.`);
  }
  return usable;
}

async function create(file: string, make: () => string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(`${make()}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
