import { chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What a data folder records about its embedded database. */
export interface Notes {
  port: number;
  password: string;
  /** Where the cluster is; next to the notes, unless the account that runs PostgreSQL could not access that folder. */
  cluster?: string;
  /** True once there is something to lose. */
  initialised?: boolean;
}

const fileOf = (dataDir: string) => path.join(dataDir, 'postgres.json');

/** Null when no database was ever made here. */
export async function readNotes(dataDir: string): Promise<Notes | null> {
  const file = fileOf(dataDir);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw code === 'EACCES' ? foreignData(dataDir, error) : error;
  }
  try {
    const notes = JSON.parse(text) as Notes;
    if (Number.isInteger(notes.port) && notes.password) return notes;
  } catch {
    // reported below
  }
  throw new Error(`${file} is damaged, and holds the password of the database. Restore it from a backup.`);
}

export async function writeNotes(dataDir: string, notes: Notes): Promise<void> {
  const file = fileOf(dataDir);
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, JSON.stringify(notes), { mode: 0o600, flush: true });
  // root may start what an ordinary user continues with
  if (process.getuid?.() === 0) {
    const { uid, gid } = await stat(dataDir);
    await chown(draft, uid, gid);
  }
  await rename(draft, file);
}

export function foreignData(dataDir: string, cause: unknown): Error {
  return new Error(
    `The database in ${dataDir} belongs to another user. Start Tonerow as that user, or set TONEROW_DATA_DIR to a folder of your own.`,
    { cause },
  );
}
