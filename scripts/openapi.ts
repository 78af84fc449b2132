/**
 * Writes the contract from the running app to packages/sdk/openapi.json. `--check` only compares and exits 1 on a
 * difference.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { declaredContract } from './lib/contract.ts';
import { contractFile } from './lib/contract-files.ts';

const text = await declaredContract();
if (process.argv.includes('--check')) {
  const committed = await readFile(contractFile, 'utf8').catch(() => '');
  if (committed !== text) {
    process.stderr.write('packages/sdk/openapi.json is not what the server says. Run: node scripts/openapi.ts\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(contractFile, text);
}
