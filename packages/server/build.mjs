import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));

await rm(here('dist'), { recursive: true, force: true });
await build({
  entryPoints: [here('src/main.ts'), here('src/bin.ts')],
  outdir: here('dist'),
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  splitting: true,
  // beside the entries, so that paths relative to a source file hold in the build too
  chunkNames: '[name]-[hash]',
  logLevel: 'warning',
});
