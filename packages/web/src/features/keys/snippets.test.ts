import { readFileSync } from 'node:fs';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../../test/examples/hise/engine.ts';
import { fillSnippet } from './snippets.ts';

const text = (file: string) => readFileSync(new URL(`../../../../../${file}`, import.meta.url), 'utf8');
const example = (name: string) => text(`examples/${name}`);
const script = (name: string) => text(`packages/plugin/hise/${name}`);

const nasty = `O'Neil "Q" \\ */ Delay\n`;
const values = {
  TONEROW_URL: 'https://shop.example.com',
  PLUGIN_KEY: 'tnr_plg_abc',
  PRODUCT_ID: 'p-1',
  PRODUCT_NAME: nasty,
  DEVELOPER_ID: 'd-1',
  RSA_PUBLIC_KEY: '10001,abc',
};
const placeholder = /\{\{[A-Z_]+\}\}/;

describe('ready-made code', () => {
  it('is a script that HISE can read, whatever the product is called', () => {
    const code = fillSnippet(script('Tonerow.js'), 'script', values);
    expect(() => new Engine([]).compile(code)).not.toThrow();
    expect(code).not.toMatch(placeholder);
    expect(code).toContain("appKey: 'tnr_plg_abc'");
  });

  it('has a form that HISE can read with it, whatever the product is called', () => {
    const [logic, form, texts = ''] = ['Tonerow.js', 'TonerowPanel.js', 'TonerowTexts.js'].map((name) =>
      fillSnippet(script(name), 'script', values),
    );
    expect(form).not.toMatch(placeholder);
    expect(() => new Engine([], { 'TonerowTexts.js': texts }).compile(`${logic}\n${form}`)).not.toThrow();
  });

  it('writes the name in C++ unchanged', () => {
    const code = fillSnippet(example('juce/MyLicense.h'), 'cpp', values);
    expect(code).not.toMatch(placeholder);
    const [, literal = ''] = code.match(/productName = (".*");/) ?? [];
    // escapes of a quote and of a backslash mean the same in both languages
    expect(JSON.parse(literal.replaceAll("\\'", "'"))).toBe(nasty.replace('\n', ' '));
    expect(code.split('\n')[1]).toMatch(/^\/\/ .* C\+\+17\.$/);
  });

  it.each(['activate', 'validate', 'deactivate', 'verify'])('is a shell script: %s', (name) => {
    const code = fillSnippet(example(`curl/${name}.sh`), 'shell', { ...values, PLUGIN_KEY: `it's $HOME` });
    expect(code).not.toMatch(placeholder);
    const [assignment = ''] = code.match(/^default_key=.*$/m) ?? [];
    expect(execaSync('bash', ['-c', `${assignment}; printf %s "$default_key"`]).stdout).toBe(`it's $HOME`);
    execaSync('bash', ['-n'], { input: code });
  });

  it('keeps the place of what is not known', () => {
    expect(fillSnippet("key='{{PLUGIN_KEY}}'", 'shell', { TONEROW_URL: '' })).toBe("key='{{PLUGIN_KEY}}'");
  });
});
