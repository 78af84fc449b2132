import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const source = path.join(import.meta.dirname, '..');
/** A moment as a child of an element, such as `<p>{formatDay(made)}</p>`. */
const bare = /(?<![$=])\{format(?:Day|Utc|UtcDay|Local|Exact|Relative)\(/g;

/** How many moments are inside a button, or an element that already explains them. */
const within: Record<string, number> = {
  'ui/time-ago.tsx': 8,
  'ui/serials/serial-badge.tsx': 1,
  'features/keys/key-row.tsx': 1,
  'features/webhooks/delivery-page.tsx': 1,
  // an option of a select holds nothing but text
  'features/imports/correction.tsx': 1,
};

it('a moment on a screen shows its zone and the exact time', () => {
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.includes('.test.') && !file.startsWith('redeem'))
    .map((file) => [file, readFileSync(path.join(source, file), 'utf8').match(bare)?.length ?? 0] as const)
    .filter(([, count]) => count > 0);
  expect(found.length).toBeGreaterThan(2);
  expect(found.filter(([file, count]) => count > (within[file] ?? 0))).toEqual([]);
});
