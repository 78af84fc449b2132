import { describe, expect, it } from 'vitest';
import { brandColors, contrast } from '#lib/brand-colors.ts';
import { canvas, contrastNote, toColor } from './color.ts';

const ugly = ['#9a04bf', '#ffe600', '#fefefe', '#050505', '#777777'];

describe('a brand color', () => {
  it('is read in every usual way', () => {
    expect(toColor(' 9A04BF ')).toBe('#9a04bf');
    expect(toColor('#9a04bf')).toBe('#9a04bf');
    expect(toColor('#fa0')).toBe('#ffaa00');
    expect(toColor('purple')).toBe('purple');
  });

  it.each(ugly)('has text on it that can be read, and an edge that can be seen: %s', (color) => {
    expect(contrast(color, brandColors(color, [canvas.light]).onFill)).toBeGreaterThanOrEqual(4.5);
    for (const ground of [canvas.light, canvas.dark]) {
      expect(contrast(brandColors(color, [ground]).edge, ground)).toBeGreaterThanOrEqual(3);
      expect(contrast(brandColors(color, [ground]).text, ground)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('warns when it can hardly be seen on the page', () => {
    expect(contrastNote('#9a04bf', false)).toMatchObject({ faint: false });
    expect(contrastNote('#ffe600', false)).toEqual({
      words: 'Black text on it, 16.6 : 1. Low contrast on the light page, 1.2 : 1: buttons get a darker edge.',
      faint: true,
    });
    expect(contrastNote('#ffe600', true)).toMatchObject({ faint: false });
    expect(contrastNote('#050505', true)).toMatchObject({ faint: true });
  });
});
