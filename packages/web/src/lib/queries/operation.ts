import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AnswerOf, InputOf, OperationId, Whole } from '@tonerow/sdk';
import { api } from '../api.ts';

type Options = { signal: AbortSignal };
type Given<Id extends OperationId> =
  Partial<InputOf<Id>> extends InputOf<Id> ? [input?: InputOf<Id>] : [input: InputOf<Id>];
type Cursor = { next_cursor: string | null };

/** A page of a list whose total and cursor are in headers, or the answer itself. */
export type PageOf<Id extends OperationId> =
  AnswerOf<Id> extends readonly (infer Row)[]
    ? { rows: Row[]; total: number; next_cursor: string | null }
    : AnswerOf<Id>;
/** Operations whose list goes by cursors. */
export type PagedId = { [Id in OperationId]: PageOf<Id> extends Cursor ? Id : never }[OperationId];
type Row<Id extends OperationId> = AnswerOf<Id> extends readonly (infer Row)[] ? Row : never;

/**
 * An operation with its input, cached under both: `q('getSerial', { path: { id } })`. What makes it stale names the
 * operation, in freshness/refresh.ts and live-refresh.ts.
 */
export function q<Id extends OperationId>(id: Id, ...[input]: Given<Id>) {
  return queryOptions({
    queryKey: [id, input] as const,
    queryFn: ({ signal }) =>
      (api[id] as (input: InputOf<Id> | undefined, options: Options) => Promise<AnswerOf<Id>>)(input, { signal }),
  });
}

async function readPage<Id extends OperationId>(id: Id, input: InputOf<Id> | undefined, options: Options) {
  const read = api.withResponse[id] as (...args: [typeof input, Options]) => Promise<Whole<unknown>>;
  const { data, response } = await read(input, options);
  if (!Array.isArray(data)) return data as PageOf<Id>;
  const total = Number(response.headers.get('x-total-count') ?? data.length);
  return { rows: data, total, next_cursor: response.headers.get('x-next-cursor') } as PageOf<Id>;
}

/** A page of a list, with data from its headers. */
export function page<Id extends PagedId>(id: Id, ...[input]: Given<Id>) {
  return queryOptions({
    queryKey: [id, input, 'page'] as const,
    queryFn: ({ signal }) => readPage(id, input, { signal }),
  });
}

/** A list page by page. @param from where it begins, if not at its beginning */
export function pages<Id extends PagedId>(id: Id, input?: InputOf<Id>, from = '') {
  return infiniteQueryOptions({
    queryKey: [id, input, 'pages', from] as const,
    queryFn: ({ pageParam, signal }) => readPage(id, pageParam ? at(input, pageParam) : input, { signal }),
    initialPageParam: from,
    getNextPageParam: (last) => (last as Cursor).next_cursor,
  });
}

const at = <Input>(input: Input, cursor: string): Input =>
  ({ ...input, query: { ...(input as { query?: object } | undefined)?.query, cursor } }) as Input;

type Listed<Page> = Page extends { rows: readonly (infer Row)[] } ? Row : never;
export const rowsOf = <Id extends PagedId>(page: PageOf<Id>) => (page as { rows: Listed<PageOf<Id>>[] }).rows;

/** All rows of a list that is not long, to choose from. */
export function every<Id extends PagedId & keyof typeof api.paginate>(id: Id, ...[input]: Given<Id>) {
  return queryOptions({
    queryKey: [id, input, 'every'] as const,
    queryFn: async ({ signal }) => {
      const read = api.paginate[id] as unknown as (...args: [typeof input, Options]) => AsyncIterable<Row<Id>>;
      const rows: Row<Id>[] = [];
      for await (const row of read(input, { signal })) rows.push(row);
      return rows;
    },
  });
}
