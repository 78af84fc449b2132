import { readFile, rm, writeFile } from 'node:fs/promises';
import { uploadFile } from '@tonerow/sdk';
import type { Command } from '../command.ts';
import { PAGE, YES } from '../command.ts';
import { Failure } from '../exit.ts';
import { fetchLinked } from '../output/linked-file.ts';
import { startProgress } from '../output/progress.ts';
import { printRows } from '../output/rows.ts';
import { outOf, receive } from '../output/stream.ts';
import { day } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { fileOf } from './imports.ts';

/** Beside the file: which upload it belongs to, until it is complete. */
const noteOf = (file: string) => `${file}.tonerow-upload`;

export const fileCommands: Command[] = [
  {
    path: 'files upload',
    summary: 'Upload a product file, up to 5 GB; the same command goes on where it broke off',
    operations: ['createFile', 'uploadFilePart', 'getFile'],
    args: [['<file>', 'such as an installer']],
    options: [['--restart', 'forget an upload that broke off']],
    examples: ['tonerow files upload PrismDelay-1.2.dmg --json'],
    async run(context, [name], options) {
      const file = name as string;
      const api = await context.api();
      const source = await fileOf(file);
      if (source.size === 0) throw new Failure(`${file} is empty.`);
      const resume = options.restart ? undefined : await unfinished(file, source.size);
      if (resume) context.note('Going on where the last upload broke off.');
      const progress = await startProgress(context, 'Uploading', source.size);
      try {
        const stored = await uploadFile(api, source, {
          signal: context.io.signal,
          ...(resume ? { resume } : {}),
          onProgress: (sent) => progress.update(sent),
          onStart: ({ id }) => {
            writeFile(noteOf(file), `${JSON.stringify({ id, size: source.size })}\n`).catch(() => undefined);
          },
        });
        await forget(file);
        await progress.stop();
        await context.print(stored, `${stored.url}\n`);
        context.note(`Uploaded. A product holds it as --file "${stored.name}=${stored.url}".`);
      } finally {
        await progress.stop();
      }
    },
  },
  {
    path: 'files list',
    summary: 'List uploaded files, newest first',
    operations: ['listFiles'],
    options: PAGE,
    examples: ['tonerow files list --limit 20'],
    async run(context, _args, options) {
      const api = await context.api();
      await printRows(context, api.paginate.listFiles({}, context.call), options, {
        head: ['ID', 'NAME', 'BYTES', 'STATE', 'URL', 'MADE'],
        cells: (row) => [
          row.id,
          row.name,
          row.size,
          row.complete ? 'complete' : `${Math.floor((row.received / row.size) * 100)} %`,
          row.url,
          day(row.created_at),
        ],
        none: 'No files yet.\n',
      });
    },
  },
  {
    path: 'files download',
    summary: 'Download one of your files',
    operations: ['downloadOwnFile', 'getFile'],
    args: [['<id>', 'from "tonerow files list"']],
    options: [['--out <file>', 'write to a file ("-" for standard output)', '-']],
    examples: ['tonerow files download 01900000-0000-7000-8000-000000000001 --out PrismDelay-1.2.dmg'],
    async run(context, [id], options) {
      const api = await context.api();
      const { name, size } = await api.getFile({ path: { id: id as string } }, context.call);
      const answer = await api.stream.downloadOwnFile({ path: { id: id as string } }, context.call);
      await receive(context, await fetchLinked(context, answer, name), outOf(options, 'public'), 'Receiving', size);
    },
  },
  {
    path: 'files delete',
    summary: 'Delete a file that no product holds any more',
    operations: ['deleteFile'],
    args: [['<id>', 'from "tonerow files list"']],
    options: [YES],
    examples: ['tonerow files delete 01900000-0000-7000-8000-000000000001 --yes'],
    async run(context, [id], options) {
      await confirm(context.io, { yes: options.yes, input: context.globals.input }, 'Delete this file for good?');
      await (await context.api()).deleteFile({ path: { id: id as string } }, context.call);
      context.note('The file is deleted.');
    },
  },
  {
    path: 'files image',
    summary: 'Upload a product image or a logo, and answer its address',
    operations: ['uploadImage', 'uploadLogo'],
    args: [['<file>', 'PNG, JPEG, WebP or GIF, at most 10 MB']],
    options: [['--logo', 'for the account, not for a product']],
    examples: ['tonerow files image cover.png', 'tonerow files image logo.png --logo'],
    async run(context, [file], options) {
      const api = await context.api();
      const body = { file: await fileOf(file as string) };
      const done = options.logo
        ? await api.uploadLogo({ body }, context.call)
        : await api.uploadImage({ body }, context.call);
      await context.print(done, `${done.url}\n`);
    },
  },
];

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
