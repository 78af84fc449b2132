/**
 * An address as browsers send it, with what is outside ASCII encoded: a header takes nothing else. One that is plain
 * already keeps its spelling.
 * @throws {TypeError} when it is no address.
 */
export function asciiUrl(url: string): string {
  return /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
}
