import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generatedSdk } from '../../scripts/lib/checks.ts';
import { contractFile, declaredContract } from '../../scripts/lib/contract.ts';

it('has the contract that the server declares', async () => {
  const declared = await declaredContract();
  expect(readFileSync(contractFile, 'utf8') === declared, 'Run: npm run gen').toBe(true);
});

it('has the SDK that the contract makes', async () => {
  const { passed, output } = await generatedSdk();
  expect(passed, output.slice(-6000)).toBe(true);
}, 180_000);
