import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ProductUnlock } from '#lib/types.ts';
import { UnlockStanding } from './unlock-section.tsx';

const id = '01900000-0000-7000-8000-000000000001';
const at = '2026-03-01T10:00:00.000Z';
const made = {
  id,
  product_id: id,
  product_name: 'Prism Delay',
  created_at: at,
  downloaded_at: null,
  published_at: null,
  audience: null,
  url: null,
} satisfies ProductUnlock;

function shown(unlock: ProductUnlock | null, is_draft = false) {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <UnlockStanding product={{ id, name: 'Prism Delay', is_draft }} unlock={unlock} />
    </QueryClientProvider>,
  );
  const acts = ['Make an unlock', 'Download its file', 'Publish', 'Publish for everyone', 'Withdraw'];
  return {
    text: html.replace(/<[^>]+>/g, ' '),
    acts: acts.filter((act) => new RegExp(`>${act}</button>`).test(html)),
  };
}
const published = (audience: 'owners' | 'everyone') => ({
  ...made,
  published_at: at,
  audience,
  url: 'https://a.example/u',
});

it.each([
  [null, 'None', ['Make an unlock']],
  [made, 'Not put away', ['Download its file', 'Publish', 'Withdraw']],
  [{ ...made, downloaded_at: at }, 'Put away', ['Download its file', 'Publish', 'Withdraw']],
  [published('owners'), 'Published for owners', ['Download its file', 'Publish for everyone']],
  [published('everyone'), 'Published for everyone', ['Download its file']],
])('offers what is possible with it: %j', (unlock, badge, acts) => {
  expect(shown(unlock).acts).toEqual(acts);
  expect(shown(unlock).text).toContain(badge);
});

it('has nothing to publish of a draft', () => {
  expect(shown(made, true)).toMatchObject({
    acts: ['Download its file', 'Withdraw'],
    text: expect.stringContaining('A draft has no customers'),
  });
});
