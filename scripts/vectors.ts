/**
 * Writes the test vectors for verifiers in any language, such as the SDK's and the C++ example's: validation tokens into
 * test/vectors/license-tokens.json, answers of the licensing API into license-answers.json, signatures into ed25519.json.
 * All inputs are fixed, so it always writes the same files. `--check` only compares and exits 1 on a difference.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { ed25519 } from './vectors/ed25519.ts';
import { licenseAnswers } from './vectors/license-answers.ts';
import { licenseTokens } from './vectors/license-tokens.ts';

const all = { 'license-tokens': licenseTokens, 'license-answers': licenseAnswers, ed25519 };

for (const [name, vectors] of Object.entries(all)) {
  const file = new URL(`../test/vectors/${name}.json`, import.meta.url);
  const text = `${JSON.stringify(vectors, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`test/vectors/${name}.json is not what it should be. Run: node scripts/vectors.ts\n`);
    process.exitCode = 1;
  }
}
