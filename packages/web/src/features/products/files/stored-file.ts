const ours = /^\/media\/files\/([0-9a-f-]{36})$/i;

/** The id behind the address of a file in our storage; null for an address elsewhere. */
export function storedFileId(url: string): string | null {
  return ours.exec(url)?.[1] ?? null;
}
