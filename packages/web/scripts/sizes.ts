import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  isDynamicEntry?: boolean;
}

type Manifest = Record<string, Chunk>;

export interface Sizes {
  /** Gzipped bytes of JavaScript that every visit to the dashboard loads before anything shows. */
  entry: number;
  /** What each screen, or part of a screen that loads later, adds to what is already loaded when it is requested. */
  parts: Record<string, number>;
  /** The redemption page, with the heaviest of the languages it may load. */
  redeem: number | null;
}

function closure(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key]?.imports ?? []) closure(manifest, next, seen);
  return seen;
}

/** The chunks that are already loaded with the chunk that requests this one, if only one chunk can request it. */
function parents(manifest: Manifest, key: string): Set<string>[] {
  const importers = Object.keys(manifest).filter((other) => manifest[other]?.dynamicImports?.includes(key));
  const [only] = importers;
  return importers.length === 1 && only ? [closure(manifest, only)] : [];
}

/** Reads the sizes of a finished build from its manifest. */
export function readSizes(dist: string): Sizes {
  const manifest = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, 'utf8')) as Manifest;
  const gzip = (keys: Iterable<string>) =>
    [...keys].reduce((sum, key) => sum + gzipSync(readFileSync(`${dist}/${manifest[key]?.file}`)).length, 0);
  const without = (keys: Set<string>, ...known: Set<string>[]) =>
    [...keys].filter((key) => !known.some((set) => set.has(key)));

  const entry = closure(manifest, 'index.html');
  const shellKey = Object.keys(manifest).find((key) => key.startsWith('src/routes/_app.tsx?'));
  const shell = shellKey ? closure(manifest, shellKey) : new Set<string>();
  const parts: Record<string, number> = {};
  for (const [key, chunk] of Object.entries(manifest)) {
    if (!chunk.isDynamicEntry || !key.startsWith('src/')) continue;
    const known = [entry, ...(key.startsWith('src/routes/_app/') ? [shell] : []), ...parents(manifest, key)];
    parts[key.replace(/\?.*$/, '')] = gzip(without(closure(manifest, key), ...known));
  }
  const page = closure(manifest, 'redeem.html');
  const languages = [...page]
    .flatMap((key) => manifest[key]?.dynamicImports ?? [])
    .map((key) => without(closure(manifest, key), page));
  return {
    entry: gzip(entry),
    parts,
    redeem: manifest['redeem.html'] ? gzip(page) + Math.max(0, ...languages.map((keys) => gzip(keys))) : null,
  };
}
