import { defineConfig } from 'vitest/config';
import { testGlobs } from './scripts/lib/kinds.ts';
import { isolated, quiet } from './test/support/isolated.ts';
import LongestFirst from './test/support/order.ts';

const shuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'));

const browsers = 'test/browser/**/*.test.ts';
const second = { sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    ...(shuffled ? {} : { sequence: { sequencer: LongestFirst } }),
    projects: [
      // a browser beside its server keeps a core busy
      project('browser', { include: [browsers], maxWorkers: 2 }),
      // the others wait for a third of their time, for the database most of all
      project('together', { include: testGlobs, exclude: [browsers, ...isolated, ...quiet], ...second, maxWorkers: 3 }),
      project('apart', { include: [...isolated], isolate: true, ...second, maxWorkers: 3 }),
      project('quiet', { include: [...quiet], sequence: { groupOrder: 2 }, maxWorkers: 1 }),
    ],
  },
});

function project(name: string, own: object) {
  return {
    // the SDK's source instead of its build
    ssr: { resolve: { conditions: ['@tonerow/source', 'node', 'development|production'] } },
    test: {
      name,
      pool: 'forks' as const,
      // one file after another in the same worker: the app is imported once
      isolate: false,
      setupFiles: ['test/support/each-file.ts'],
      testTimeout: 60_000,
      // what a screen or a job needs under load; a second is the default
      expect: { poll: { timeout: 10_000 } },
      hookTimeout: 90_000,
      ...own,
    },
  };
}
