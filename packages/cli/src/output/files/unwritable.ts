import { Failure } from '#exit.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your part of the disk is full',
  EFBIG: 'it would be too large',
  EIO: 'the disk has failed',
};

/** Describes in words what a file system refused. Returns any other error as it is. */
export function unwritable(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const reason = REASONS[code];
  return reason === undefined ? error : new Failure(`${file} cannot be written (${code}): ${reason}.`);
}
