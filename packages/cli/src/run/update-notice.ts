import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stateDir, writePrivately } from '#config/state.ts';
import { isCi } from '#input/is-ci.ts';
import { VERSION } from '#version.ts';
import type { Context } from './context.ts';

const DAY = 86_400_000;

/**
 * Notifies a person at a terminal, once a day, that the server is newer than this client. The server's version comes with
 * responses that were requested anyway, so nothing is fetched for it and no command waits.
 */
export async function noticeUpdate(context: Context, now = Date.now()): Promise<void> {
  const { io, serverVersion, silent } = context;
  if (!serverVersion || !isNewer(serverVersion, VERSION) || silent) return;
  if (!io.stderr.isTTY || isCi(io.env) || io.env.TONEROW_NO_UPDATE_NOTIFIER) return;
  const file = path.join(stateDir(io.env), 'update-notice.json');
  const last = await readFile(file, 'utf8').then(Number, () => 0);
  if (now - last < DAY) return;
  // without a place to remember it, the notice would appear every time
  const remembered = await writePrivately(file, `${now}\n`).then(
    () => true,
    () => false,
  );
  if (!remembered) return;
  // the server has the client of its own release
  const archive = new URL('/cli/tonerow.tgz', await context.url());
  context.note(
    `\nThe server runs Tonerow ${serverVersion}, this client is ${VERSION}. To update it: npm install --global ${archive}`,
  );
}

/** Whether one version, such as `1.10.0`, is later than another. Anything else is not. */
export function isNewer(version: string, than: string): boolean {
  const parts = (text: string) => /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(text)?.slice(1).map(Number);
  const [a, b] = [parts(version), parts(than)];
  if (!a || !b) return false;
  const at = a.findIndex((part, index) => part !== b[index]);
  return at !== -1 && (a[at] as number) > (b[at] as number);
}
