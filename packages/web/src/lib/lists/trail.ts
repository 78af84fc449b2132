/**
 * The list that records are opened from: its order, its filter and the pages of it that were seen. With it, the page of a record
 * leads to the next one. It is kept for this tab only, as a search may hold an address.
 */

/** The kind of records in the list. */
export type TrailKind = 'serials' | 'customers' | 'batches' | 'products';
/** The list that the records are in. */
export type TrailList = 'customers' | 'redeemed' | 'available' | 'batches' | 'products' | 'cards';

export interface TrailPage {
  /** Its number, or its cursor. */
  at: string;
  ids: string[];
  /** How many records come before it. */
  first: number;
  previous: string | null;
  next: string | null;
}

export interface Trail {
  list: TrailList;
  /** As the server takes it, without the page. */
  query: object;
  total: number;
  exact: boolean;
  /** The address of the list in the dashboard, and the words of the link back to it. */
  path: string;
  back?: string | undefined;
  search: object;
  pages: TrailPage[];
}

/** The part of a trail that the list itself knows. The frame around it adds its rows and its address. */
export interface TrailPlace extends Omit<Trail, 'pages' | 'path' | 'search'> {
  kind: TrailKind;
  page: Omit<TrailPage, 'ids'>;
}

interface Counted {
  total: number;
  total_exact: boolean;
  page_size: number;
}

/** A page of a list by numbers; where counting stopped early, a full page has a next one. */
export function numberedPage(page: number, rows: number, { total, total_exact, page_size }: Counted) {
  const more = total_exact ? page * page_size < total : rows >= page_size;
  return {
    at: String(page),
    first: (page - 1) * page_size,
    previous: page > 1 ? String(page - 1) : null,
    next: more ? String(page + 1) : null,
  };
}

/** A page of a list by cursors, which only lead forward. */
export const cursorPage = (cursor: string | undefined, first: number, next: string | null) => ({
  at: cursor ?? '',
  first,
  previous: null,
  next,
});

const MOST_PAGES = 100;
const keyOf = (kind: TrailKind) => `trail ${kind}`;

export function readTrail(kind: TrailKind): Trail | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(kind)) ?? 'null') as Trail | null;
    return kept && Array.isArray(kept.pages) ? kept : null;
  } catch {
    return null;
  }
}

function write(kind: TrailKind, trail: Trail) {
  try {
    sessionStorage.setItem(keyOf(kind), JSON.stringify(trail));
  } catch {
    // A full storage costs the way to the next record, nothing else.
    sessionStorage.removeItem(keyOf(kind));
  }
}

/** Keeps the rows that a list shows now: as one more page of the same list, or as the first page of another list. */
export function keepTrail(kind: TrailKind, shown: Omit<Trail, 'pages'>, page: TrailPage) {
  const before = readTrail(kind);
  const same = before?.list === shown.list && JSON.stringify(before.query) === JSON.stringify(shown.query);
  write(kind, { ...shown, pages: same ? withPage(before.pages, page) : [page] });
}

/** The trail with a page that was read from a record's page. */
export function extendTrail(kind: TrailKind, trail: Trail, page: TrailPage): Trail {
  const longer = { ...trail, pages: withPage(trail.pages, page) };
  write(kind, longer);
  return longer;
}

/** The pages in their order; one that does not adjoin them begins anew. */
export function withPage(pages: TrailPage[], page: TrailPage): TrailPage[] {
  const at = pages.findIndex((each) => each.at === page.at);
  const others = new Set(pages.flatMap((each) => (each.at === page.at ? [] : each.ids)));
  // rows move between pages while others come in or go
  const fresh = { ...page, ids: page.ids.filter((id) => !others.has(id)) };
  if (at >= 0) {
    // the rows that a list shows are newer than those known from its other pages
    const shown = new Set(page.ids);
    return pages.map((each, index) =>
      index === at ? page : { ...each, ids: each.ids.filter((id) => !shown.has(id)) },
    );
  }
  if (pages.at(-1)?.next === page.at) return [...pages, fresh].slice(-MOST_PAGES);
  if (pages[0]?.previous === page.at) return [fresh, ...pages].slice(0, MOST_PAGES);
  return [page];
}

interface TrailPosition {
  /** Counted from one. */
  position: number;
  page: TrailPage;
  previous: string | undefined;
  next: string | undefined;
}

/** The position of a record in its list; null when the list that was seen last does not have it. */
export function trailPosition({ pages }: Trail, id: string): TrailPosition | null {
  const page = pages.find((each) => each.ids.includes(id));
  if (!page) return null;
  const ids = pages.flatMap((each) => each.ids);
  const at = ids.indexOf(id);
  return {
    position: page.first + page.ids.indexOf(id) + 1,
    page,
    previous: ids[at - 1],
    next: ids[at + 1],
  };
}

/** The record that was on the screen before the list, so that the list begins where it ended. */
let markedRecord: string | null = null;
export const markRecord = (id: string) => {
  markedRecord = id;
};
export function takeMarkedRecord(): string | null {
  const id = markedRecord;
  markedRecord = null;
  return id;
}
