/** Where a request goes: an address taken apart. */
export interface Target {
  url: URL;
  /** A name, or an address without its brackets. */
  host: string;
  secure: boolean;
  path: string;
}

export function targetOf(address: string): Target {
  const url = new URL(address);
  return {
    url,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    secure: url.protocol === 'https:',
    path: url.pathname + url.search,
  };
}
