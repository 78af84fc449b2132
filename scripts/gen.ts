/** `npm run gen`: everything that is generated and committed: the contract, the SDK, the verifiers' vectors, and HISE's texts. */
import { execa } from 'execa';

for (const script of [
  'scripts/openapi.ts',
  'packages/sdk/generate.ts',
  'scripts/vectors.ts',
  'scripts/plugin/hise-texts.ts',
]) {
  process.stderr.write(`  ${script} …\n`);
  await execa(process.execPath, [script], { stdio: 'inherit' });
}
await execa(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', 'test/vectors'], {
  stdio: 'inherit',
});
