interface HeaderPage<Row> {
  rows: Row[];
  total: number;
  next_cursor: string | null;
}

/** A page of a list whose total and cursor are in headers. */
export function headerPage<Row>({ data, response }: { data: Row[]; response: Response }): HeaderPage<Row> {
  return {
    rows: data,
    total: Number(response.headers.get('x-total-count') ?? data.length),
    next_cursor: response.headers.get('x-next-cursor'),
  };
}

/** For queries of lists that are read page by page. */
export const byCursor = {
  initialPageParam: '',
  getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor,
};

export const cursorOf = (pageParam: string) => (pageParam ? { cursor: pageParam } : {});
