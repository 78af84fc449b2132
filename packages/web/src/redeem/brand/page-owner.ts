const WRAPPED = /^[\s\p{P}\p{S}]*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[\s\p{P}\p{S}]*$/iu;

/**
 * Whose page an address is for. Email programs add the end of a sentence to a link, so what is around the id is dropped.
 * Anything that is not an id stays as it is, and is refused.
 */
export function pageOwner(address: URL): string | null {
  const dev = address.searchParams.get('dev');
  return dev && (WRAPPED.exec(dev)?.[1] ?? dev);
}
