import { readFileSync } from 'node:fs';
import path from 'node:path';
import { tool } from '@tonerow/test-support/command.ts';
import { describe, expect, it } from 'vitest';
import { Engine } from './hise/engine.ts';
import { EXAMPLES, exampleFiles, HISE, start } from './support.ts';

const KNOWN = [
  'TONEROW_URL',
  'PLUGIN_KEY',
  'PRODUCT_ID',
  'PRODUCT_NAME',
  'JUCE_PRODUCT_ID',
  'DEVELOPER_ID',
  'RSA_PUBLIC_KEY',
];
const files = exampleFiles();
const scripts = new Map(
  ['Tonerow.js', 'TonerowTexts.js', 'TonerowPanel.js'].map((name) => [
    name,
    readFileSync(path.join(HISE, name), 'utf8'),
  ]),
);
const filled = new Map([...files, ...scripts]);
const placeholders = (text: string) => [...text.matchAll(/\{\{(.*?)\}\}/g)].map((match) => match[1] as string);

describe('the examples', () => {
  it.each([...filled.keys()])('%s has only placeholders that the dashboard knows', (name) => {
    for (const placeholder of placeholders(filled.get(name) as string)) expect(KNOWN).toContain(placeholder);
  });

  it('use every placeholder, and their README explains each', () => {
    const { 'README.md': readme, ...code } = Object.fromEntries(filled);
    expect(new Set(placeholders(Object.values(code).join('\n')))).toEqual(new Set(KNOWN));
    for (const name of KNOWN) expect(readme).toContain(`| \`{{${name}}}\``);
  });

  it('are all named by their README', () => {
    const readme = files.get('README.md') as string;
    for (const name of scripts.keys()) expect(readme).toContain(`\`packages/plugin/hise/${name}\``);
    for (const name of files.keys()) {
      const [folder, file = ''] = name.split('/');
      if (folder === 'curl') expect(readme).toContain('curl/*.sh');
      else if (file !== '') expect(readme).toContain(file.replace(/\.(h|cpp)$/, ''));
    }
  });

  it.each([...scripts])('%s is HiseScript', (name, script) => {
    expect(() => new Engine([], Object.fromEntries(scripts)).compile(script, name)).not.toThrow();
  });

  it.each([...files.keys()].filter((name) => name.endsWith('.sh')))(
    '%s parses, and stops at the first error',
    async (name) => {
      expect(files.get(name)).toContain('set -euo pipefail');
      expect(await start('bash', ['-n', `${EXAMPLES}/${name}`])).toMatchObject({ code: 0, output: '' });
    },
  );
});

it('the vectors of tokens and answers are what scripts/vectors.ts makes', async () => {
  const { code, output } = await tool('scripts/vectors.ts', '--check');
  expect(code, output).toBe(0);
});
