const OWN = /^\/media\/files\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** How a product names a file in our own storage. It is no address: a customer gets a signed one. */
export function fileUrl(id: string): string {
  return `/media/files/${id}`;
}

/** The id in such a name, or null for an address elsewhere. */
export function fileIdOf(url: string): string | null {
  return OWN.exec(url)?.[1] ?? null;
}

/** The same in SQL: the id in the text of an address, or null. */
export const fileIdSql = (url: string) =>
  `case when ${url} ~ '^/media/files/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(${url}, 14)::uuid end`;
