import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CountedPages } from './counted-pages.tsx';

const rows = (count: number) => Array.from({ length: count });
const data = { rows: rows(20), total: 45, total_exact: true, page_size: 20, time_zone: 'America/New_York' };

/** Its words, and which of its buttons lead somewhere. */
function shown(change: Partial<typeof data>, page: number) {
  const markup = renderToStaticMarkup(
    <CountedPages data={{ ...data, ...change }} what="serial" page={page} onPage={() => undefined} />,
  );
  const buttons = [...markup.matchAll(/<button[^>]*>.*?<\/button>/g)].map(([button]) => button);
  return {
    words: markup
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    leads: buttons
      .filter((button) => !button.includes('disabled=""'))
      .map((button) => button.replaceAll(/<[^>]*>/g, '')),
  };
}

it('counts the pages of a list that is counted whole', () => {
  expect(shown({}, 1)).toEqual({
    words: '45 serials · days in America/New York Page 1 of 3 Previous Next',
    leads: ['Next'],
  });
  expect(shown({}, 2).leads).toEqual(['Previous', 'Next']);
  expect(shown({ rows: rows(5) }, 3).leads).toEqual(['Previous']);
});

it('goes on past what was counted, as long as pages are full', () => {
  const more = { total: 10_000, total_exact: false };
  expect(shown(more, 1).words).toBe('10,000+ serials · days in America/New York Page 1 of 500+ Previous Next');
  expect(shown(more, 501)).toMatchObject({
    words: expect.stringContaining('Page 501 of 501+'),
    leads: ['Previous', 'Next'],
  });
  expect(shown({ ...more, rows: rows(3) }, 501).leads).toEqual(['Previous']);
});
