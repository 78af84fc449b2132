import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** An administrator's address of the database server that the tests share. */
    databaseServer: string;
    template: string;
    /** One whose tables have no partitions, also where those of the others do. */
    wholeTemplate: string;
    /** The machines that have the template: that server, and the workers of a Citus cluster. */
    machines: string[];
    /** The folder in which tests keep what they write. It is removed at the end. */
    folder: string;
  }
}

/** Sets up what all workers share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-files-'));
  project.provide('folder', folder);
  const stop = process.env.TONEROW_TESTS === 'unit' ? null : await startParts(project);
  return async () => {
    await stop?.();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Imported only where it is needed: the app alone takes seconds. */
async function startParts(project: TestProject): Promise<() => Promise<void>> {
  const [{ startDatabaseServer }, { unpackBrowser }] = await Promise.all([
    import('./database-server.ts'),
    import('./browser.ts'),
  ]);
  await unpackBrowser();
  return startDatabaseServer(project);
}
