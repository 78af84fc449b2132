import { readFile, rm, writeFile } from 'node:fs/promises';
import { uploadFile } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { Failure } from '#exit.ts';
import { fileOf } from '#input/local-file.ts';
import { startProgress } from '#output/progress.ts';

/** Next to the file: which upload it belongs to, until that is complete. */
const noteOf = (file: string) => `${file}.tonerow-upload`;

export const filesUpload = defineCommand({
  path: 'files upload',
  summary: 'Upload a product file, up to 5 GB; run again to resume an interrupted upload',
  operations: ['createFile', 'uploadFilePart', 'getFile'],
  args: [['<file>', 'such as an installer']],
  options: {
    restart: flag('discard an interrupted upload and start over'),
  },
  examples: ['tonerow files upload PrismDelay-1.2.dmg --json'],
  async run({ context, args: [name], options }) {
    const file = name;
    const api = await context.api();
    const source = await fileOf(file);
    if (source.size === 0) throw new Failure(`${file} is empty.`);
    const resume = options.restart ? undefined : await unfinished(file, source.size);
    if (resume) context.note('Resuming the interrupted upload.');
    const progress = await startProgress(context, 'Uploading', { total: source.size, unit: 'bytes' });
    let before = 0;
    // also within a part
    context.onSent = (sent) => progress.update(Math.min(source.size, before + sent));
    try {
      const stored = await uploadFile(api, source, {
        signal: context.io.signal,
        ...(resume ? { resume } : {}),
        onProgress: (received) => {
          before = received;
          progress.update(received);
        },
        onStart: ({ id }) => {
          writeFile(noteOf(file), `${JSON.stringify({ id, size: source.size })}\n`).catch(() => undefined);
        },
      });
      await forget(file);
      await progress.stop();
      await context.print(stored, `${stored.url}\n`);
      context.note(`Uploaded. Add it to a product with --file "${stored.name}=${stored.url}".`);
    } finally {
      context.onSent = undefined;
      await progress.stop();
    }
  },
});

async function unfinished(file: string, size: number): Promise<string | undefined> {
  const text = await readFile(noteOf(file), 'utf8').catch(() => null);
  if (text === null) return undefined;
  try {
    const note = JSON.parse(text) as { id: string; size: number };
    return note.size === size ? note.id : undefined;
  } catch {
    return undefined;
  }
}

async function forget(file: string): Promise<void> {
  await rm(noteOf(file), { force: true });
}
