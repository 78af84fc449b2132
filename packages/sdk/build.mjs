/** Builds the published package: `dist/esm` and `dist/cjs`, each with its JavaScript, its declarations and its module type. */
import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const dist = path.join(folder, 'dist');
const { exports } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
const sources = Object.values(exports).flatMap((target) => target['@tonerow/source'] ?? []);
const [esm, cjs] = [path.join(dist, 'esm'), path.join(dist, 'cjs')];

await rm(dist, { recursive: true, force: true });
for (const [format, outdir] of [
  ['esm', esm],
  ['cjs', cjs],
]) {
  await build({
    entryPoints: sources.map((file) => path.join(folder, file)),
    outbase: path.join(folder, 'src'),
    outdir,
    format,
    bundle: true,
    // its dependencies are bundled, so that installing it installs nothing else
    external: ['undici'],
    // browsers get the same files as Node
    platform: 'neutral',
    target: 'es2022',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
}

const parser = path.dirname(createRequire(import.meta.url).resolve('eventsource-parser/package.json'));
await cp(path.join(parser, 'LICENSE'), path.join(dist, 'eventsource-parser.LICENSE'));

// the local TypeScript is the generator's; the root's is the one that checks
const compiler = createRequire(path.join(folder, '../../package.json')).resolve('typescript/package.json');
const tsc = path.join(path.dirname(compiler), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', path.join(folder, 'tsconfig.build.json')], { stdio: 'inherit' });
for (const name of await readdir(esm, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = path.join(esm, name);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/(from |import\()'(\.{1,2}\/[^']+)\.ts'/g, "$1'$2.js'"));
}

// the same declarations, read as CommonJS because of the package.json beside them
await cp(esm, cjs, { recursive: true, filter: (file) => !/\.js(\.map)?$/.test(file) });
await writeFile(path.join(esm, 'package.json'), '{ "type": "module" }\n');
await writeFile(path.join(cjs, 'package.json'), '{ "type": "commonjs" }\n');
