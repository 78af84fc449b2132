import { expect, it } from 'vitest';
import { configOf } from './config.ts';
import type { Palette } from './palette.ts';

const palette = new Proxy({}, { get: () => () => '#000' }) as Palette;

it('breaks the name beside a bar into two lines before it cuts it', () => {
  const labels = (names: string[], narrow: boolean) =>
    configOf(
      'bars',
      {
        axis: 'Reseller',
        columns: [{ name: 'Sales', format: String }],
        points: names.map((name) => ({ label: name, title: name, values: [1] })),
      },
      palette,
      { narrow, still: true },
    ).data.labels;
  const names = ['Twelve Tone Shop', 'Plugins', 'Sound and Plugin Distribution', 'Tonhandwerkzeugladenkette'];
  expect(labels(names, true)).toEqual([
    ['Twelve Tone', 'Shop'],
    'Plugins',
    ['Sound and', 'Plugin Distri…'],
    'Tonhandwerkze…',
  ]);
  expect(labels(names, false)).toEqual([
    'Twelve Tone Shop',
    'Plugins',
    ['Sound and Plugin', 'Distribution'],
    'Tonhandwerkzeuglade…',
  ]);
});
