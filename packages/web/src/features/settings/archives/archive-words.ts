import { formatCount, plural } from '#lib/format/format.ts';
import { formatBytes } from '#lib/format/sizes.ts';
import type { AccountArchive } from '#lib/types.ts';

/** It is still being made, or about to be. */
export const inWork = ({ state }: AccountArchive) => state === 'waiting' || state === 'running';

/** How far it is, 0 to 1. Files are counted when the tables are in it: each of the two has a half. */
export function shareOf({ tables_done, tables_total, files_done, files_total }: AccountArchive): number {
  if (tables_total === 0) return 0;
  if (tables_done < tables_total) return tables_done / tables_total / 2;
  return files_total > 0 ? 0.5 + files_done / files_total / 2 : 0.5;
}

/** The same in words. */
export function progressOf(archive: AccountArchive): string {
  const { tables_done, tables_total, files_done, files_total, rows } = archive;
  if (tables_total === 0) return 'Waiting to begin';
  if (tables_done < tables_total)
    return `${formatCount(tables_done)} of ${plural(tables_total, 'table')}, ${plural(rows, 'row')}`;
  if (files_done < files_total) return `${formatCount(files_done)} of ${plural(files_total, 'file')}`;
  return 'Almost done';
}

/** The contents of a complete archive. */
export function contentsOf({ size, rows, tables_done, files_done }: AccountArchive): string {
  const counts = [
    plural(rows, 'row'),
    plural(tables_done, 'table'),
    files_done > 0 ? plural(files_done, 'file') : null,
  ];
  return [formatBytes(size ?? 0), ...counts.filter(Boolean)].join(' · ');
}
