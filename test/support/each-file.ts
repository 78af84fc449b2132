import { afterAll, beforeAll } from 'vitest';
import { type FileSpent, fileImported, fileSpent, fileStarts } from './where.ts';

declare module 'vitest' {
  interface TaskMeta {
    spent?: FileSpent;
  }
}

// before the file is imported, because it is a setup file
fileStarts();
beforeAll(fileImported);
// hooks of this kind run last when they were declared first
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures a hook wants
afterAll(({}, file) => {
  const spent = fileSpent();
  if (spent) file.meta.spent = spent;
});
