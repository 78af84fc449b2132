import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generatedSdk } from '../../scripts/lib/checks.ts';
import { declaredContract } from '../../scripts/lib/contract.ts';
import { contractFile } from '../../scripts/lib/contract-files.ts';

it('has the contract that the server declares', async () => {
  const declared: unknown = JSON.parse(await declaredContract());
  // its schemas come in the order in which this process happened to import them
  expect(JSON.parse(readFileSync(contractFile, 'utf8')), 'Run: npm run gen').toEqual(declared);
});

it('has the SDK that the contract makes', async () => {
  const { passed, output } = await generatedSdk();
  expect(passed, output.slice(-6000)).toBe(true);
}, 180_000);
