import { defineConfig } from 'vitest/config';

export default defineConfig({
  // the SDK's source instead of its build
  ssr: { resolve: { conditions: ['@tonerow/source', 'node', 'development|production'] } },
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    // what a screen or a job needs under load; a second is the default
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 90_000,
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
