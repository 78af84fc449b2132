import { defineCommand } from '#define/define-command.ts';
import { findProduct } from '#input/find-by-name.ts';
import { versionTable } from './file-version.ts';

export const productsVersions = defineCommand({
  path: 'products versions',
  summary: 'List the versions of a product’s files, newest first',
  operations: ['listFileVersions'],
  args: [['<product>', 'id or name']],
  examples: ['tonerow products versions "Prism Delay"'],
  async run({ context, args: [text] }) {
    const api = await context.api();
    const { id } = await findProduct(api, text, context.io.signal);
    const versions = await api.listFileVersions({ path: { id } }, context.call);
    await context.print(versions, versions.length > 0 ? versionTable(versions) : 'No version is recorded yet.\n');
  },
});
