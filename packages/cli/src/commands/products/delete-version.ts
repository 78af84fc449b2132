import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findVersion } from './file-version.ts';

export const productsDeleteVersion = defineCommand({
  path: 'products delete-version',
  summary: 'Forget a version of a product’s files; what customers get stays',
  operations: ['deleteFileVersion', 'listFileVersions'],
  args: [
    ['<product>', 'id or name'],
    ['<version>', 'the version or its id'],
  ],
  options: SURE,
  examples: ['tonerow products delete-version "Prism Delay" 0.9.0 --yes'],
  async run({ context, args: [product, text], options }) {
    const api = await context.api();
    const version = await findVersion(api, product, text, context.io.signal);
    const { id, name } = version;
    const sure = await context.sure(options, {
      question: `Delete version ${name}?`,
      look: async () => version,
      would: () => `Version ${name} would be deleted.`,
    });
    if (!sure) return;
    const done = await api.deleteFileVersion({ path: { id } }, context.call);
    await context.print(done, '');
    context.note(`Version ${name} deleted.`);
  },
});
