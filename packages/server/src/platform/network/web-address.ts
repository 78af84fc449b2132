/** `example.com` is meant as `https://example.com`: unchanged, a page would treat it as a relative path. */
export function withScheme(address: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`;
}

/** A whole address that a browser opens. It is kept as it is, so it may hold nothing that `URL` would drop, such as line breaks. */
export function isHttpAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text) && new URL(text).hostname.includes('.');
}

export const isWebAddress = (text: string): boolean => isHttpAddress(withScheme(text));
export const NO_WEB_ADDRESS = 'Enter a web address such as https://example.com.';
