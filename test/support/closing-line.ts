import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { kindOf } from '../../scripts/lib/kinds.ts';
import { table, whereTable } from './where-table.ts';

const SLOWEST = 10;

/**
 * Ends the run with the slowest files, where its time went if that was asked for, and one line:
 * `N passed, N failed, N skipped`. What broke outside a test counts as failed.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const before = counts.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state] += 1;
        else counts.failed += 1;
      }
      // a hook that failed, or a file that cannot be imported
      if (module.state() === 'failed' && counts.failed === before) counts.failed += 1;
    }
    if (modules.length > SLOWEST) print(slowest(modules));
    const spent = modules.flatMap((module) => {
      const { spent } = module.meta();
      return spent
        ? [{ file: fileOf(module), kind: kindOf(fileOf(module), readFileSync(module.moduleId, 'utf8')), spent }]
        : [];
    });
    if (spent.length > 0) print(whereTable(spent));
    print(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}

function slowest(modules: readonly TestModule[]): string {
  const rows = modules
    .map((module) => {
      const { collectDuration, setupDuration, duration } = module.diagnostic();
      return { file: fileOf(module), seconds: (collectDuration + setupDuration + duration) / 1000 };
    })
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
  return `The ${rows.length} slowest files, in seconds:\n${table(rows.map(({ file, seconds }) => [seconds.toFixed(1), file]))}`;
}

const fileOf = (module: TestModule) => path.relative(process.cwd(), module.moduleId).replaceAll('\\', '/');

const print = (text: string) => process.stdout.write(`\n${text}\n`);
