import { defineConfig } from 'vitest/config';
import { testGlobs } from './scripts/lib/kinds.ts';
import { isolated, quiet } from './test/support/isolated.ts';
import LongestFirst from './test/support/order.ts';

const shuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'));

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // a third of a test is waiting: for the database, for Stripe, for a browser
    maxWorkers: 3,
    reporters: ['default', './test/support/closing-line.ts'],
    ...(shuffled ? {} : { sequence: { sequencer: LongestFirst } }),
    projects: [
      project('together', { include: testGlobs, exclude: [...isolated, ...quiet] }),
      project('apart', { include: [...isolated], isolate: true }),
      project('quiet', { include: [...quiet], sequence: { groupOrder: 1 }, maxWorkers: 1 }),
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
