import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const { unsuitable } = (await import(new URL('../../scripts/lib/install.mjs', import.meta.url).href)) as {
  unsuitable(machine: { platform: string; arch: string; version: string }, packaged: string[]): string | null;
};
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const packaged = Object.keys(read('package.json').optionalDependencies);

describe('the Node that is needed', () => {
  it('is named in every package', () => {
    const own = readdirSync('packages').map((name) => `packages/${name}/package.json`);
    // the plugin has no Node in it
    const files = ['package.json', ...own.filter((file) => existsSync(file))];
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) expect(read(file).engines?.node, file).toMatch(/^>=\d+(\.\d+)*$/);
  });

  it('is 20 where a newer one comes as a package, and 24 elsewhere, which is reported before anything is installed', () => {
    const check = (platform: string, arch: string, version: string) =>
      unsuitable({ platform, arch, version }, packaged);
    expect(check('linux', 'x64', 'v20.11.0')).toBeNull();
    expect(check('win32', 'x64', 'v20.11.0')).toBeNull();
    expect(check('darwin', 'arm64', 'v24.0.0')).toBeNull();
    expect(check('darwin', 'arm64', 'v20.20.0')).toContain(
      'On macOS (arm64) Tonerow needs Node 24 or newer; this is v20',
    );
    expect(check('darwin', 'x64', 'v22.1.0')).toContain('nvm install 24');
    expect(check('linux', 'x64', 'v18.0.0')).toContain('needs Node 20 or newer');
    expect(check('linux', 'riscv64', 'v22.0.0')).toContain('needs Node 24 or newer');
  });
});
