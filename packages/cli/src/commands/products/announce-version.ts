import { readFile } from 'node:fs/promises';
import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findVersion } from './file-version.ts';

export const productsAnnounceVersion = defineCommand({
  path: 'products announce-version',
  summary: 'Email everybody who owns a product about the version that they get now',
  operations: ['announceFileVersion'],
  args: [
    ['<product>', 'id or name'],
    ['<version>', 'the version or its id'],
  ],
  options: {
    note: text('<text>', 'what is new, as plain text'),
    noteFile: text('<file>', 'the same from a file'),
    ...DRY_RUN,
    ...YES,
  },
  examples: [
    'tonerow products announce-version "Prism Delay" 1.2.0 --dry-run',
    'tonerow products announce-version "Prism Delay" 1.2.0 --note-file changes.txt --yes',
  ],
  async run({ context, args: [product, given], options }) {
    if (options.note !== undefined && options.noteFile) throw new UsageError('Use --note or --note-file, not both.');
    const note = options.noteFile ? await readFile(options.noteFile, 'utf8') : options.note;
    const api = await context.api();
    const { id, name } = await findVersion(api, product, given, context.io.signal);
    const announce = (dry_run: boolean) =>
      api.announceFileVersion({ path: { id }, body: { dry_run, ...(note ? { note } : {}) } }, context.call);
    const would = await announce(true);
    const owners = `${would.owners} ${would.owners === 1 ? 'owner' : 'owners'}`;
    if (options.dryRun) return context.print(would, `${owners} would be emailed about version ${name}.\n`);
    await context.confirm(options.yes, `Email ${owners} about version ${name}?`);
    const done = await announce(false);
    await context.print(done, '');
    context.note(`Emailing ${owners} about version ${name}.`);
  },
});
