import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './command.ts';

interface Diagnostic {
  category: string;
  location: { path: string };
}

/** A tree of its own for files that the linter must refuse: the other gates must not trip over them. */
export async function plantFiles(config: object, files: ReadonlyMap<string, string>) {
  const root = await mkdtemp(path.join(tmpdir(), 'tonerow-planted-'));
  for (const [file, text] of [['biome.json', JSON.stringify(config)] as const, ...files]) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  return {
    /** The categories of the linter's findings for each file. */
    async lint(): Promise<(file: string) => string[]> {
      const biome = path.resolve('node_modules/@biomejs/biome/bin/biome');
      const options = ['--reporter=json', '--max-diagnostics=none', `--config-path=${root}`];
      const { out } = await run(process.execPath, [biome, 'lint', ...options, root]);
      const { diagnostics } = JSON.parse(out) as { diagnostics: Diagnostic[] };
      return (file) =>
        diagnostics.filter(({ location }) => location.path.endsWith(file)).map(({ category }) => category);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
