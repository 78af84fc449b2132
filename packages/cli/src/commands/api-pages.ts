import { UsageError } from '#exit.ts';

interface Page {
  rows?: unknown[];
  customers?: unknown[];
  next_cursor?: string | null;
  total?: number;
  page?: number;
  page_size?: number;
}

/** An answer as JSON, with its headers. */
export interface Answer {
  data: unknown;
  headers: Headers;
}

/**
 * The rows of a list, page by page.
 * @param load asks for a path with its query.
 * @throws {UsageError} for what is no list.
 */
export async function* followPages(
  path: string,
  load: (path: string) => Promise<Answer>,
): AsyncGenerator<unknown, void> {
  for (let next: string | undefined = path; next !== undefined; ) {
    const { rows, place } = pageOf(await load(next));
    yield* rows;
    next = place && withQuery(path, place);
  }
}

/** Its rows, and where the next page is: by a cursor in a header or in the body, or by its number. */
function pageOf({ data, headers }: Answer): { rows: unknown[]; place: Record<string, string> | undefined } {
  if (Array.isArray(data)) {
    const cursor = headers.get('x-next-cursor');
    return { rows: data, place: cursor ? { cursor } : undefined };
  }
  const page = data as Page | null;
  const rows = page?.rows ?? page?.customers;
  if (!page || !Array.isArray(rows)) throw new UsageError('This path returns no list: leave --paginate away.');
  if (page.next_cursor) return { rows, place: { cursor: page.next_cursor } };
  const { page: at, page_size: size = rows.length, total = 0 } = page;
  const more = page.next_cursor === undefined && at !== undefined && at * size < total && rows.length > 0;
  return { rows, place: more ? { page: String(at + 1) } : undefined };
}

function withQuery(path: string, values: Record<string, string>): string {
  const [bare, query] = path.split('?');
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) search.set(name, value);
  return `${bare}?${search}`;
}
