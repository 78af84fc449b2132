import { readFile, rm, writeFile } from 'node:fs/promises';
import { type TonerowError, uploadFile } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { Failure } from '#exit.ts';
import { type LongFile, longFileOf } from '#input/local-file.ts';
import { startProgress } from '#output/progress.ts';

/** Next to the file: which upload it belongs to, until that is complete. */
const noteOf = (file: string) => `${file}.tonerow-upload`;

interface Note {
  id: string;
  /** The file's size when the upload began: another file of the same name must not be its end. */
  size: number;
  modified: number;
}

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
    const source = await longFileOf(file);
    if (source.size === 0) throw new Failure(`${file} is empty.`);
    const resume = options.restart ? undefined : await unfinished(api, file, source, context.io.signal);
    if (resume) context.note('Resuming the interrupted upload.');
    const progress = await startProgress(context, 'Uploading', { total: source.size, unit: 'bytes' });
    let before = 0;
    let noted = Promise.resolve();
    // also within a part
    context.onSent = (sent) => progress.update(Math.min(source.size, before + sent));
    try {
      const stored = await uploadFile(api, source, {
        signal: context.io.signal,
        ...context.timing,
        ...(resume ? { resume } : {}),
        onProgress: (received) => {
          before = received;
          progress.update(received);
        },
        onStart: ({ id }) => {
          noted = note(file, { id, size: source.size, modified: source.lastModified });
        },
      });
      await noted;
      await forget(file);
      await progress.stop();
      await context.print(stored, `${stored.url}\n`);
      context.note(`Uploaded. Add it to a product with --file "${stored.name}=${stored.url}".`);
    } finally {
      // an upload that is interrupted at once can be resumed, too
      await noted;
      context.onSent = undefined;
      await progress.stop();
    }
  },
});

/** Writes a note beside the file. If it cannot be written there, the upload cannot be resumed. */
async function note(file: string, about: Note): Promise<void> {
  await writeFile(noteOf(file), `${JSON.stringify(about)}\n`).catch(() => forget(file).catch(() => undefined));
}

/** The interrupted upload of the file as it is now, which the server still knows. */
async function unfinished(
  api: OperationClient,
  file: string,
  { size, lastModified }: LongFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = noteIn(await readFile(noteOf(file), 'utf8').catch(() => ''));
  if (!found || found.size !== size || found.modified !== lastModified) return undefined;
  const known = await api.getFile({ path: { id: found.id } }, { signal }).catch((error: TonerowError) => {
    if (error.status === 404) return undefined;
    throw error;
  });
  return known?.id;
}

function noteIn(text: string): Note | undefined {
  try {
    return JSON.parse(text) as Note;
  } catch {
    // half of one, from a process that was killed
    return undefined;
  }
}

async function forget(file: string): Promise<void> {
  await rm(noteOf(file), { force: true });
}
