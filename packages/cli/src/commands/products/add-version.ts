import { defineCommand } from '#define/define-command.ts';
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
  examples: ['tonerow products add-version "Prism Delay" 1.2.0'],
  async run({ context, args: [text, name] }) {
    const api = await context.api();
    const { id } = await findProduct(api, text, context.io.signal);
    const version = await api.createFileVersion({ path: { id }, body: { name } }, context.call);
    await context.print(version, versionTable([version]));
    context.note(`Version ${version.name} recorded.`);
  },
});
