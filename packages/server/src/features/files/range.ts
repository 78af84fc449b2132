import type { ByteRange } from '#platform/storage/storage.ts';

interface Conditions {
  range: string | undefined;
  ifRange: string | undefined;
  etag: string;
  lastModified: string;
}

/**
 * The requested bytes (RFC 9110, 14): null for all of them, `unsatisfiable` for a range outside the file. A list of
 * ranges, an unreadable range, and a range of another version of the file count as no range.
 */
export function requestedRange(asked: Conditions, size: number): ByteRange | 'unsatisfiable' | null {
  if (asked.range === undefined) return null;
  if (asked.ifRange !== undefined && asked.ifRange !== asked.etag && asked.ifRange !== asked.lastModified) return null;
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(asked.range.trim());
  const [from, to] = [match?.[1], match?.[2]];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const last = Math.min(Number(to), size);
    return last === 0 ? 'unsatisfiable' : { start: size - last, end: size - 1 };
  }
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}
