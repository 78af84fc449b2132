import { expect, it } from 'vitest';
import { checks } from '../../scripts/lib/checks.ts';

it.each(checks)(
  'the tree passes: $name',
  async ({ run }) => {
    const { passed, output } = await run();
    expect(passed, output.slice(-6000)).toBe(true);
  },
  180_000,
);
