import { expect, it } from 'vitest';
import { drawReference } from './drawing.ts';

const SHOP = '01900000-0000-7000-8000-000000000001';

it('names a draw by the shop, the order, its line and the place in it, the same each time', () => {
  expect(drawReference(SHOP, '#1001', '5', 0)).toBe(`${SHOP}/#1001/5/0`);
  expect(drawReference(SHOP, '#1001', '5', 1)).not.toBe(drawReference(SHOP, '#1001', '5', 0));
});

it('is a reference that can be drawn under, whatever the shop calls its orders', () => {
  const names = ['x'.repeat(300), 'a\u0000b', ' ', '🎹'.repeat(80), 'a\n1'];
  const made = names.flatMap((order) => ['1', 'y'.repeat(300)].map((line) => drawReference(SHOP, order, line, 99)));
  for (const reference of made) {
    expect(reference.length).toBeLessThanOrEqual(200);
    expect(reference).not.toMatch(/\p{Cc}/u);
    expect(reference.trim()).toBe(reference);
  }
  expect(new Set(made).size).toBe(made.length);
});
