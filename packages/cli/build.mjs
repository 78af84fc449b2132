import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const shared = { bundle: true, platform: 'node', target: 'node22', logLevel: 'warning', outdir: here('dist') };

await rm(here('dist'), { recursive: true, force: true });

// what only a call over the network needs is loaded by the first call
const transportApart = {
  name: 'transport-apart',
  setup(plugin) {
    plugin.onResolve({ filter: /^@tonerow\/sdk\/node$/ }, () => ({ path: './transport.cjs', external: true }));
  },
};
await build({
  ...shared,
  entryPoints: { transport: '@tonerow/sdk/node' },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  minify: true,
});

// CommonJS starts faster than modules
await build({
  ...shared,
  entryPoints: { cli: here('src/bin.ts') },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  external: ['./live.mjs'],
  plugins: [transportApart],
  supported: { 'dynamic-import': true },
  minify: true,
});

// Ink can speak to React's developer tools; a released command has none
const withoutDevtools = {
  name: 'without-devtools',
  setup(plugin) {
    plugin.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: 'react-devtools-core', namespace: 'none' }));
    plugin.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {};' }));
  },
};

// what is drawn on a terminal is loaded when it is drawn
await build({
  ...shared,
  entryPoints: { live: here('src/ui/live.tsx') },
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  plugins: [withoutDevtools],
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
});
