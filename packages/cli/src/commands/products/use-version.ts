import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findVersion, versionTable } from './file-version.ts';

export const productsUseVersion = defineCommand({
  path: 'products use-version',
  summary: 'Give customers the files of a version',
  operations: ['setCurrentFileVersion'],
  args: [
    ['<product>', 'id or name'],
    ['<version>', 'the version or its id'],
  ],
  options: SURE,
  examples: ['tonerow products use-version "Prism Delay" 1.1.0 --yes'],
  async run({ context, args: [product, text], options }) {
    const api = await context.api();
    const found = await findVersion(api, product, text, context.io.signal);
    const { id, name } = found;
    const sure = await context.sure(options, {
      question: `Replace the files that customers get by those of version ${name}?`,
      look: async () => found,
      would: ({ is_current }) =>
        is_current ? `Customers get version ${name} already.` : `Customers would get the files of version ${name}.`,
    });
    if (!sure) return;
    const version = await api.setCurrentFileVersion({ path: { id } }, context.call);
    await context.print(version, versionTable([version]));
    context.note(`Customers get version ${version.name} now.`);
  },
});
