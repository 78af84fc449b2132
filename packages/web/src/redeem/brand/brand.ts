import type { Branding } from '@tonerow/sdk';
import { brandColors } from '#lib/brand-colors.ts';
import { RedeemError, readBranding } from '../api.ts';
import { readStored, store } from '../storage.ts';

/** The page works without a brand if the id or domain is unknown, or if no response comes in time. */
export type Brand = { look: Branding; missing: null } | { look: null; missing: 'unknown' | 'unreachable' };

const PATIENCE = 4000;
const GROUNDS = ['canvas', 'surface', 'raised', 'sunken', 'hover'];

export function isId(text: string | null): text is string {
  return text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * The developer's brand, before the first paint: the cached one from the last visit, else the server's. A
 * response that comes later is passed to `onLater`.
 */
export async function loadBrand(dev: string | null, onLater: (brand: Brand) => void): Promise<Brand> {
  const key = `brand:${dev ?? window.location.host}`;
  const known = cached(key);
  const answer = fetchBrand(dev).then((brand) => {
    if (brand.missing !== 'unreachable') store(key, brand.look ? JSON.stringify(brand.look) : null);
    return brand;
  });
  let shown = false;
  void answer.then((brand) => shown && !(known && brand.missing === 'unreachable') && onLater(brand));
  const early = known ?? (await Promise.race([answer, pause(PATIENCE)])) ?? { look: null, missing: 'unreachable' };
  shown = true;
  return early;
}

async function fetchBrand(dev: string | null): Promise<Brand> {
  if (dev !== null && !isId(dev)) return { look: null, missing: 'unknown' };
  try {
    return { look: await readBranding(dev ? { dev } : { host: window.location.host }), missing: null };
  } catch (error) {
    const unknown = error instanceof RedeemError && (error.status === 404 || error.status === 400);
    return { look: null, missing: unknown ? 'unknown' : 'unreachable' };
  }
}

function cached(key: string): Brand | null {
  try {
    const look = JSON.parse(readStored(key) ?? 'null') as Branding | null;
    return typeof look?.brand_color === 'string' ? { look, missing: null } : null;
  } catch {
    return null;
  }
}

const pause = (time: number) => new Promise<null>((done) => setTimeout(() => done(null), time));

/** Colors of the whole page. Without a brand it follows the system's light or dark and is gray. */
export function paint({ look }: Brand): void {
  const root = document.documentElement;
  const dark = look?.dark_mode ?? window.matchMedia('(prefers-color-scheme: dark)').matches;
  root.classList.toggle('dark', dark);
  const style = getComputedStyle(root);
  const color = look && /^#[0-9a-f]{6}$/i.test(look.brand_color) ? look.brand_color : style.getPropertyValue('--text');
  const { fill, onFill, hover, edge, text } = brandColors(
    color.trim(),
    GROUNDS.map((name) => style.getPropertyValue(`--${name}`).trim()),
  );
  const values = { brand: fill, 'on-brand': onFill, 'brand-hover': hover, 'brand-edge': edge, 'brand-text': text };
  for (const [name, value] of Object.entries(values)) root.style.setProperty(`--${name}`, value);
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', fill);
  if (look?.logo_url) document.querySelector('link[rel="icon"]')?.setAttribute('href', look.logo_url);
  root.classList.add('painted');
}
