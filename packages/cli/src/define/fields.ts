import { UsageError } from '#exit.ts';
import type { Command } from './command.ts';

/** The fields that `--json` reports of a file. */
const WRITTEN = ['file', 'bytes', 'rows'];

/** The field names that `--fields` of a command accepts; undefined for `tonerow api`, which calls any path. */
export async function fieldsOf({
  operations,
  shows = operations,
  fields = [],
  options,
}: Command): Promise<string[] | undefined> {
  if (operations.length === 0 && fields.length === 0) return undefined;
  const table = (await import('@tonerow/sdk/fields')).fields as Record<string, string>;
  const known = shows.flatMap((operation) => (table[operation] ?? '').split(' '));
  const written = 'out' in options ? WRITTEN : [];
  const dry = 'dryRun' in options ? ['dry_run'] : [];
  return [...new Set([...known, ...fields, ...written, ...dry])].filter((name) => name !== '').sort();
}

/**
 * Checks the names given to `--fields`, before anything is done whose result could not be shown.
 * @throws {UsageError} for unknown names, with the known ones.
 */
export async function mustBeFields(command: Command, text: string): Promise<void> {
  const known = await fieldsOf(command);
  if (!known) return;
  if (known.length === 0) throw new UsageError('This command does not return JSON with fields.');
  const list = `The fields are: ${known.join(', ')}.`;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !known.includes(name));
  if (text.trim() === '') throw new UsageError(`Name the fields, separated by commas. ${list}`);
  if (unknown.length > 0) throw new UsageError(`Unknown field "${unknown.join('", "')}". ${list}`);
}
