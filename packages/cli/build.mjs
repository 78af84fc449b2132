import { execFileSync } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  logLevel: 'warning',
  outdir: here('dist'),
  // the SDK as it is in this repository, not as it was built last
  conditions: ['@tonerow/source', 'module'],
};

await rm(here('dist'), { recursive: true, force: true });

// modules that only some runs need are loaded by those: the network, the names of fields, jq
const apart = {
  '@tonerow/sdk/node': './transport.cjs',
  '@tonerow/sdk/fields': './fields.cjs',
  'jq-wasm': './jq.cjs',
};
const loadedLater = {
  name: 'loaded-later',
  setup(plugin) {
    const names = Object.keys(apart).join('|');
    plugin.onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path }) => ({ path: apart[path], external: true }));
  },
};
const later = { ...shared, format: 'cjs', outExtension: { '.js': '.cjs' }, minify: true };
await build({ ...later, entryPoints: { transport: '@tonerow/sdk/node', fields: '@tonerow/sdk/fields' } });
const jq = createRequire(import.meta.url).resolve('jq-wasm');
await build({
  ...later,
  stdin: { contents: "export { raw } from 'jq-wasm';", resolveDir: here('.') },
  alias: { 'jq-wasm': jq },
  outdir: undefined,
  outfile: here('dist/jq.cjs'),
});
// jq itself, where its loader looks for it
await cp(path.join(path.dirname(jq), 'build'), here('dist/build'), { recursive: true });

// the plugin's C++ and scripts, for `tonerow plugin new`: as text in one file
const readsFiles = await build({
  ...shared,
  entryPoints: [here('src/commands/plugin/project/shipped-files.ts')],
  format: 'esm',
  write: false,
});
const reader = Buffer.from(readsFiles.outputFiles[0].contents).toString('base64');
const { shippedFiles } = await import(`data:text/javascript;base64,${reader}`);
const shippedText = JSON.stringify(await shippedFiles(here('../..')));
await writeFile(here('dist/plugin.cjs'), `exports.shippedFiles = async () => (${shippedText});\n`);
const shippedApart = {
  name: 'shipped-apart',
  setup(plugin) {
    plugin.onResolve({ filter: /\/shipped-files\.ts$/ }, () => ({ path: './plugin.cjs', external: true }));
  },
};

// parts of Node that few runs use, and that take milliseconds to load: loaded when something of them is used
const parts = [
  'child_process',
  'crypto',
  'http',
  'net',
  'os',
  'readline',
  'stream',
  'stream/promises',
  'timers/promises',
];
const nodeLater = {
  name: 'node-later',
  setup(plugin) {
    const filter = new RegExp(`^node:(${parts.join('|')})$`);
    plugin.onResolve({ filter }, ({ path, namespace }) =>
      namespace === 'later' ? { path, external: true } : { path, namespace: 'later' },
    );
    plugin.onLoad({ filter, namespace: 'later' }, ({ path }) => {
      const names = Object.keys(createRequire(import.meta.url)(path)).filter((name) => name !== 'default');
      const getters = names.map((name) => `get ${name}() { return part().${name}; }`);
      return { contents: `const part = () => require('${path}');\nmodule.exports = { ${getters.join(', ')} };` };
    });
  },
};

// CommonJS starts faster than modules
await build({
  ...shared,
  entryPoints: { cli: here('src/bin.ts') },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  external: ['./live.mjs'],
  plugins: [loadedLater, shippedApart, nodeLater],
  supported: { 'dynamic-import': true },
  minify: true,
});

// the manual page, from the same table of commands
const man = execFileSync(process.execPath, [here('bin/tonerow.cjs'), 'help', 'man']);
await writeFile(here('dist/tonerow.1'), man);

// Ink can speak to React's developer tools; a released command has none
const withoutDevtools = {
  name: 'without-devtools',
  setup(plugin) {
    plugin.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: 'react-devtools-core', namespace: 'none' }));
    plugin.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {};' }));
  },
};

// code that draws on a terminal is loaded when it draws
await build({
  ...shared,
  entryPoints: { live: here('src/ui/live.tsx') },
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  plugins: [withoutDevtools],
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
});
