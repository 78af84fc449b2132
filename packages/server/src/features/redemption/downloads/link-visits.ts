import type { IncomingHttpHeaders } from 'node:http';

/** A browser that prefetches what a person may click next (Sec-Purpose), or renders a preview of it. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].flat().join(' ');
  return /prefetch|prerender|preview/i.test(purposes);
}

// CUBOT is a maker of phones
const PREVIEWERS =
  /(?<!cu)bot\b|externalhit|facebookcatalog|facebot|whatsapp|skypeuripreview|embedly|iframely|unfurl|link ?preview|preview ?service|page-?renderer|quora link|pinterest\/|vkshare|slurp|spider\b|crawler|snapchat|metainspector|google-safety|mastodon\/|misskey\//i;

/** A messenger, mail filter or search engine that looks what a link leads to. Tools such as curl or wget are none. */
export function isPreviewer(userAgent: string | undefined): boolean {
  return userAgent !== undefined && PREVIEWERS.test(userAgent);
}
