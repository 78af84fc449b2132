import { readFile } from 'node:fs/promises';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findProduct } from '#input/find-by-name.ts';
import { versionTable } from './file-version.ts';

export const productsAddVersion = defineCommand({
  path: 'products add-version',
  summary: 'Keep the files that a product has now, under a version',
  operations: ['createFileVersion'],
  args: [
    ['<product>', 'id or name'],
    ['<version>', 'such as 1.2.0'],
  ],
  options: {
    notes: text('<text>', 'what is new, as plain text: plugins show it with the update'),
    notesFile: text('<file>', 'the same from a file'),
  },
  examples: [
    'tonerow products add-version "Prism Delay" 1.2.0',
    'tonerow products add-version "Prism Delay" 1.2.0 --notes-file changes.txt',
  ],
  async run({ context, args: [product, name], options }) {
    if (options.notes !== undefined && options.notesFile)
      throw new UsageError('Use --notes or --notes-file, not both.');
    const notes = options.notesFile ? await readFile(options.notesFile, 'utf8') : options.notes;
    const api = await context.api();
    const { id } = await findProduct(api, product, context.io.signal);
    const version = await api.createFileVersion({ path: { id }, body: { name, notes } }, context.call);
    await context.print(version, versionTable([version]));
    context.note(`Version ${version.name} recorded.`);
  },
});
