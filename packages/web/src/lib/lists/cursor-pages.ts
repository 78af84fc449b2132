/** The cursors of the pages seen in this tab, because cursors only lead forward. */
const cameFrom = new Map<string, string | undefined>();

interface At {
  page: number;
  cursor: string | undefined;
  /** The cursor at which the next page begins. */
  next: string | null | undefined;
}

/** Turns to a page of a list that goes by cursors: back to where one came from, or else to the first. */
export function turnPage({ page, cursor, next }: At, to: number, onPage: (page: number, cursor?: string) => void) {
  if (to > page && next) {
    cameFrom.set(next, cursor);
    return onPage(to, next);
  }
  return cursor && cameFrom.has(cursor) ? onPage(to, cameFrom.get(cursor)) : onPage(1);
}
