import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Parts } from './parts.tsx';

it('keeps a number with what it counts, and leaves out what is not there', () => {
  const html = renderToStaticMarkup(<Parts of={['16 redeemed', false, '40 given']} />);
  expect(html).toBe(
    '<span class="whitespace-nowrap">16 redeemed ·</span> <span class="whitespace-nowrap">40 given</span>',
  );
  expect(renderToStaticMarkup(<Parts of={['1 open', '2 redeemed']} separator="," />).replaceAll(/<[^>]*>/g, '')).toBe(
    '1 open, 2 redeemed',
  );
});
