import type { FileVersion } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { Failure } from '#exit.ts';
import { findProduct } from '#input/find-by-name.ts';
import { table } from '#output/table.ts';

/** The computers whose plugins are offered a file: [macos arm64]. */
const platform = ({ os, arch }: FileVersion['files'][number]) => os && `[${[os, arch].filter(Boolean).join(' ')}]`;

export const versionTable = (versions: FileVersion[]) =>
  table(
    ['ID', 'VERSION', 'FILES', 'RECORDED', 'OWNERS EMAILED', ''],
    versions.map(({ id, name, files, created_at, emails, is_current }) => [
      id,
      name,
      files.map((file) => [file.name, platform(file)].filter(Boolean).join(' ')).join(', '),
      created_at,
      emails ? `${emails.owners}${emails.ended_at ? '' : ` of ${emails.expected}`}` : '',
      is_current ? 'current' : '',
    ]),
  );

/** A version of a product’s files, by itself or its id. */
export async function findVersion(api: OperationClient, product: string, text: string, signal: AbortSignal) {
  const { id } = await findProduct(api, product, signal);
  const versions = await api.listFileVersions({ path: { id } }, { signal });
  const found = versions.find((version) => version.id === text || version.name === text);
  if (!found) throw new Failure(`There is no version "${text}". "tonerow products versions" shows them.`, 'not_found');
  return found;
}
