import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checks, generatedSdk } from '../../scripts/lib/checks.ts';
import { contractFile, declaredContract } from '../../scripts/lib/contract.ts';

const LONG = 180_000;

describe('the tree', () => {
  it.each(checks)(
    'passes $name',
    async ({ run }) => {
      const { passed, output } = await run();
      expect(passed, output.slice(-6000)).toBe(true);
    },
    LONG,
  );

  it('has the contract that the server declares', async () => {
    const declared = await declaredContract();
    expect(readFileSync(contractFile, 'utf8') === declared, 'Run: npm run gen').toBe(true);
  });

  it(
    'has the SDK that the contract makes',
    async () => {
      const { passed, output } = await generatedSdk();
      expect(passed, output.slice(-6000)).toBe(true);
    },
    LONG,
  );
});
