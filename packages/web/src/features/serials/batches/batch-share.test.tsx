import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { BatchBar, inState } from './batch-share.tsx';

const counts = { quantity: 12, open: 6, handed_out: 0, redeemed: 3, revoked: 1, at_least: [] };
/** How many of the twelve cells look like each part. */
const cells = (batch: Parameters<typeof BatchBar>[0]['batch']) => {
  const looks = [...renderToStaticMarkup(<BatchBar batch={batch} />).matchAll(/rounded-\[3px\] ([\w-]+)/g)];
  return Object.fromEntries(
    ['bg-accent', 'bg-accent-soft', 'bg-hover'].map((look) => [look, looks.filter(([, each]) => each === look).length]),
  );
};

it('shows the parts of a batch, and what is gone of it', () => {
  expect(cells(counts)).toEqual({ 'bg-accent': 3, 'bg-accent-soft': 6, 'bg-hover': 3 });
  expect(inState(counts, 'open')).toBe('6');
});

it('takes nothing for gone that a list has not counted, and marks the figures', () => {
  const large = {
    quantity: 12_000,
    open: 3000,
    handed_out: 0,
    redeemed: 3000,
    revoked: 1,
    at_least: ['open' as const],
  };
  expect(cells(large)).toEqual({ 'bg-accent': 3, 'bg-accent-soft': 9, 'bg-hover': 0 });
  expect([inState(large, 'open'), inState(large, 'redeemed')]).toEqual(['3,000+', '3,000']);
});
