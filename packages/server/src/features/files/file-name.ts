const MAX = 200;
const MAX_EXTENSION = 20;
// characters that turn the reading direction can make `gpj.exe` look like `exe.jpg`
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const CONTROL = /[\p{Cc}\u2028\u2029\ufeff]/gu;

/** A file name as a customer may see and save it: one path segment, no tricks, at most 200 characters. */
export function safeFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const plain = trim(last.normalize('NFC').replace(CONTROL, '').replace(BIDI, ''));
  return shorten(plain) || 'download';
}

/** Windows drops dots and spaces at the end; without them `.` and `..` are gone too. */
function trim(name: string): string {
  return name.trim().replace(/[. ]+$/u, '');
}

function shorten(name: string): string {
  if (name.length <= MAX) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION ? name.slice(dot) : '';
  const room = MAX - extension.length;
  let stem = '';
  // by what a person sees as one character: an emoji is not cut in two
  for (const { segment } of new Intl.Segmenter().segment(name.slice(0, name.length - extension.length))) {
    if (stem.length + segment.length > room) break;
    stem += segment;
  }
  return trim(stem) + extension;
}

/** `attachment` with the name twice: in ASCII for old clients, in UTF-8 for all others (RFC 6266). */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\w .()+-]/gu, '_');
  const utf8 = encodeURIComponent(name).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}
