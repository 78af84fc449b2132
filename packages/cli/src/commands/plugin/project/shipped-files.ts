import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Paths of the repository, and where their files are among those that `tonerow plugin new` writes. */
const SHIPPED = {
  'packages/plugin/core': 'tonerow/core',
  'packages/plugin/c': 'tonerow/c',
  'packages/plugin/cmake': 'tonerow/cmake',
  'packages/plugin/tonerow_juce': 'tonerow/tonerow_juce',
  'packages/plugin/CMakeLists.txt': 'tonerow/CMakeLists.txt',
  'packages/plugin/LICENSE': 'tonerow/LICENSE',
  'packages/plugin/README.md': 'tonerow/README.md',
  'packages/plugin/new': 'new',
  'packages/plugin/hise': 'hise',
} as const;

/**
 * The plugin's C++ and scripts by their paths. Only from the sources: the installed client has them in a file that `build.mjs`
 * makes by this.
 */
export async function shippedFiles(
  root = fileURLToPath(new URL('../../../../../../', import.meta.url)),
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [from, to] of Object.entries(SHIPPED)) {
    const entries = await readdir(`${root}/${from}`, { recursive: true, withFileTypes: true }).catch((error) => {
      if (error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (entries === null) files[to] = await readFile(`${root}/${from}`, 'utf8');
    for (const entry of entries ?? []) {
      if (!entry.isFile()) continue;
      const file = `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/');
      files[to + file.slice(file.indexOf(from) + from.length)] = await readFile(file, 'utf8');
    }
  }
  return files;
}
