import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../packages/web/src/styles/tokens.css', import.meta.url), 'utf8');

function tokens(selector: string): Record<string, string> {
  const block = css.match(new RegExp(`^${selector.replace('.', '\\.')} \\{([^}]*)\\}`, 'm'))?.[1] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ['canvas', 'surface', 'raised', 'sunken', 'hover'];
const texts = ['text', 'muted', 'faint', 'accent-text', 'bad'];
const pairs = [
  ...texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ...(['good', 'warn', 'bad'] as const).map((tone) => [tone, `${tone}-soft`] as const),
  ['accent-text', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-bad', 'bad-fill'],
] as const;

describe.each([
  ['light', tokens(':root')],
  ['dark', tokens('.dark')],
])('the colors of the %s theme', (_, colors) => {
  it.each(pairs)('%s can be read on %s', (front, back) => {
    expect(contrast(colors[front] ?? '', colors[back] ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['canvas', 'surface'])('the edges of inputs can be seen on %s', (back) => {
    expect(contrast(colors['control-line'] ?? '', colors[back] ?? '')).toBeGreaterThanOrEqual(3);
  });
});
