import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = 'packages/server/src';
// where time and chance come from, and what runs before there is a clock to hand down
const ALLOWED = new Set([
  'platform/clock.ts',
  'platform/random.ts',
  'platform/db/embedded/embedded-postgres.ts',
  'platform/db/embedded/postmaster.ts',
  'runtime.ts',
]);
const FORBIDDEN =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(?:Bytes|UUID|Int|FillSync)\(|\bperformance\.now\(/;

it('takes time and chance from the clock and the random source only', () => {
  const found = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !ALLOWED.has(file))
    .flatMap((file) =>
      readFileSync(path.join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (FORBIDDEN.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});
