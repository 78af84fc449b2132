import type { FileVersion } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { YES } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { Failure } from '../../exit.ts';
import { table } from '../../output/table.ts';
import { findProduct } from '../../resolve.ts';

const versionTable = (versions: FileVersion[]) =>
  table(
    ['ID', 'VERSION', 'FILES', 'RECORDED', ''],
    versions.map(({ id, name, files, created_at, is_current }) => [
      id,
      name,
      files.map((file) => file.name).join(', '),
      created_at,
      is_current ? 'current' : '',
    ]),
  );

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

export const productsUseVersion = defineCommand({
  path: 'products use-version',
  summary: 'Give customers the files of a version',
  operations: ['setCurrentFileVersion'],
  args: [
    ['<product>', 'id or name'],
    ['<version>', 'the version or its id'],
  ],
  options: YES,
  examples: ['tonerow products use-version "Prism Delay" 1.1.0 --yes'],
  async run({ context, args: [product, text], options }) {
    const api = await context.api();
    const { id, name } = await findVersion(api, product, text, context.io.signal);
    await context.confirm(options.yes, `Replace the files that customers get by those of version ${name}?`);
    const version = await api.setCurrentFileVersion({ path: { id } }, context.call);
    await context.print(version, versionTable([version]));
    context.note(`Customers get version ${version.name} now.`);
  },
});

export const productsDeleteVersion = defineCommand({
  path: 'products delete-version',
  summary: 'Forget a version of a product’s files; what customers get stays',
  operations: ['deleteFileVersion'],
  args: [
    ['<product>', 'id or name'],
    ['<version>', 'the version or its id'],
  ],
  options: YES,
  examples: ['tonerow products delete-version "Prism Delay" 0.9.0 --yes'],
  async run({ context, args: [product, text], options }) {
    const api = await context.api();
    const { id, name } = await findVersion(api, product, text, context.io.signal);
    await context.confirm(options.yes, `Delete version ${name}?`);
    const done = await api.deleteFileVersion({ path: { id } }, context.call);
    await context.print(done, '');
    context.note(`Version ${name} deleted.`);
  },
});

async function findVersion(api: OperationClient, product: string, text: string, signal: AbortSignal) {
  const { id } = await findProduct(api, product, signal);
  const versions = await api.listFileVersions({ path: { id } }, { signal });
  const found = versions.find((version) => version.id === text || version.name === text);
  if (!found) throw new Failure(`There is no version "${text}". "tonerow products versions" shows them.`);
  return found;
}
