import { expect, it } from 'vitest';
import { contrast, textOn } from './brand.ts';

it.each(['#ffff00', '#fdfdfd', '#050505', '#9a04bf', '#777777', '#00ff88', '#ff0000'])(
  'writes legibly on %s',
  (color) => {
    expect(contrast(color, textOn(color))).toBeGreaterThanOrEqual(4.5);
  },
);
