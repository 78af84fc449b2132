import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { brandColors, contrast } from './brand-colors.ts';

const css = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');
const names = ['canvas', 'surface', 'raised', 'sunken', 'hover'];

function grounds(selector: string): string[] {
  const block = css.match(new RegExp(`^${selector} \\{([^}]*)\\}`, 'm'))?.[1] ?? '';
  return names.map((name) => block.match(new RegExp(`--${name}: (#[0-9a-f]{6});`))?.[1] ?? '');
}

const levels = ['00', '33', '66', '99', 'cc', 'ff'];
const cube = levels.flatMap((r) => levels.flatMap((g) => levels.map((b) => `#${r}${g}${b}`)));
const greys = Array.from({ length: 52 }, (_, i) => `#${(i * 5).toString(16).padStart(2, '0').repeat(3)}`);
const ugly = ['#ffff00', '#fefefe', '#0a0a0a', '#9a04bf', '#777777', '#767676', '#00ff00', '#FF00FF', '#f5f5dc'];
const colors = [...cube, ...greys, ...ugly];

describe.each([
  ['light', grounds(':root')],
  ['dark', grounds('\\.dark')],
])('a brand color on the %s page', (_, surfaces) => {
  it(`can be read, whichever of ${colors.length} it is`, () => {
    const bad = colors.filter((color) => {
      const { fill, onFill, hover, edge, text } = brandColors(color, surfaces);
      return (
        contrast(onFill, fill) < 4.5 ||
        contrast(onFill, hover) < 4.5 ||
        surfaces.some((surface) => contrast(edge, surface) < 3 || contrast(text, surface) < 4.5)
      );
    });
    expect(surfaces).toHaveLength(names.length);
    expect(bad).toEqual([]);
  });
});

describe('a brand color', () => {
  it('stays as it is where it can be read already', () => {
    expect(brandColors('#6d28d9', ['#ffffff'])).toMatchObject({ fill: '#6d28d9', text: '#6d28d9', edge: '#6d28d9' });
  });

  it('is measured against a short way to write a ground too', () => {
    expect(brandColors('#ffee00', ['#fff'])).toEqual(brandColors('#ffee00', ['#ffffff']));
  });

  it('keeps its hue when it has to be changed', () => {
    const { text } = brandColors('#ffff00', ['#ffffff']);
    expect(text).toMatch(/^#([0-9a-f]{2})\1(?:00)$/);
  });
});
