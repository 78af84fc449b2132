import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { AccountArchive } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { passwords } from '#commands/account/passwords.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { Failure, UsageError } from '#exit.ts';
import { fetchResumed } from '#output/files/resumed-file.ts';
import { outOf, receiveOnly } from '#output/files/stream.ts';
import { startProgress } from '#output/progress.ts';
import { list } from '#output/table.ts';
import type { Context } from '#run/context.ts';

const ASKED_EVERY = 500;

export const exportEverything = defineCommand({
  path: 'export everything',
  summary: 'Write everything of the account into one archive, which another server can restore',
  operations: [
    'createAccountArchive',
    'listAccountArchives',
    'getAccountArchive',
    'downloadAccountArchive',
    'deleteAccountArchive',
  ],
  options: {
    out: text('<file>', 'where the archive is written'),
    passphraseFile: text('<file>', 'has the passphrase that seals the signing keys, in one line'),
    archive: text('<id>', 'fetch one that was made already, such as after a connection broke'),
    keep: flag('leave the archive on the server, which deletes it after seven days'),
    passwordStdin: flag('read the account’s password from standard input'),
  },
  examples: [
    'tonerow export everything --out account.zip --passphrase-file passphrase.txt',
    'tonerow export everything --out account.zip --archive 01900000-0000-7000-8000-000000000001',
  ],
  async run({ context, options }) {
    const { out } = options;
    if (!out || out === '-') throw new UsageError('Name the file with --out FILE.');
    const api = await context.api();
    const id = options.archive ?? (await begin(context, api, options));
    const made = await endOfArchive(context, api, id);
    const link = () => api.stream.downloadAccountArchive({ path: { id } }, context.call);
    const file = await fetchResumed(context, link, { name: 'account.zip', size: made.size ?? 0 });
    const again = `The archive is still on the server: tonerow export everything --out FILE --archive ${id}`;
    try {
      await receiveOnly(context, file, outOf(context, out), 'Receiving', made.size ?? undefined);
    } catch (error) {
      context.note(again);
      throw error;
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(out), hash);
    if (hash.digest('hex') !== made.sha256) throw new Failure(`${out} is not what the server has made. ${again}`);
    if (!options.keep) await api.deleteAccountArchive({ path: { id } }, context.call);
    await context.print(
      { ...made, file: out },
      list([
        ['File', out],
        ['SHA-256', made.sha256],
        ['Tables', made.tables_done],
        ['Rows', made.rows],
        ['Files', made.files_done],
      ]),
    );
  },
});

async function begin(
  context: Context,
  api: OperationClient,
  options: { passphraseFile?: string | undefined; passwordStdin?: boolean },
): Promise<string> {
  if (!options.passphraseFile) throw new UsageError('Name a file that has the passphrase with --passphrase-file FILE.');
  const passphrase = await context.secret({
    file: options.passphraseFile,
    what: 'the passphrase',
    how: '--passphrase-file',
  });
  const [password] = (await passwords(context, options, ['Password: '])) as [string];
  const { id } = await api.createAccountArchive({ body: { password, passphrase } }, context.call);
  return id;
}

async function endOfArchive(context: Context, api: OperationClient, id: string): Promise<AccountArchive> {
  const progress = await startProgress(context, 'Making the archive', { unit: 'rows' });
  try {
    for (;;) {
      const found = await api.getAccountArchive({ path: { id } }, context.call);
      if (found.error !== null) throw new Failure(found.error);
      if (found.state === 'complete') return found;
      progress.update(found.rows);
      await pause(ASKED_EVERY, undefined, { signal: context.io.signal });
    }
  } finally {
    await progress.stop();
  }
}
