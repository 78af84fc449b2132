import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { AccountArchive } from '#lib/types.ts';
import { ArchiveLine } from './archive-line.tsx';
import { progressOf, shareOf } from './archive-words.ts';

const archive = (its: Partial<AccountArchive>): AccountArchive => ({
  id: '01900000-0000-7000-8000-000000000001',
  state: 'running',
  tables_done: 0,
  tables_total: 0,
  files_done: 0,
  files_total: 0,
  rows: 0,
  size: null,
  sha256: null,
  error: null,
  created_at: '2026-03-01T10:00:00.000Z',
  finished_at: null,
  expires_at: null,
  ...its,
});
const shown = (its: Partial<AccountArchive>) =>
  renderToStaticMarkup(<ArchiveLine archive={archive(its)}>{null}</ArchiveLine>).replace(/<[^>]+>/g, ' ');

it.each([
  [{}, 0, 'Waiting to begin'],
  [{ tables_done: 15, tables_total: 60, rows: 1200 }, 0.125, '15 of 60 tables, 1,200 rows'],
  [{ tables_done: 60, tables_total: 60 }, 0.5, 'Almost done'],
  [{ tables_done: 60, tables_total: 60, files_done: 1, files_total: 4 }, 0.625, '1 of 4 files'],
  [{ tables_done: 60, tables_total: 60, files_done: 4, files_total: 4 }, 1, 'Almost done'],
])('is as far as its tables and files are: %j', (its, share, words) => {
  expect([shareOf(archive(its)), progressOf(archive(its))]).toEqual([share, words]);
});

it('shows what a complete one has and until when, and of a failed one the reason alone', () => {
  const complete = shown({
    state: 'complete',
    tables_done: 60,
    rows: 4012,
    files_done: 1,
    size: 5_242_880,
    expires_at: '2026-03-08T10:00:00.000Z',
  });
  expect(complete).toContain('4,012 rows · 60 tables · 1 file');
  expect(complete).toMatch(/Kept until\s+Mar 8, 2026/);
  const failed = shown({ state: 'failed', error: 'The server stopped while it was made.', expires_at: '2026-03-08' });
  expect(failed).toContain('The server stopped while it was made.');
  expect(failed).not.toMatch(/Kept|rows/);
});
