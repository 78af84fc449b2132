import { brandColors, contrast, EDGE_CONTRAST } from '#lib/brand-colors.ts';

export const defaultColor = '#9a04bf';

const WHITE = '#ffffff';
/** Background colors of the redemption page. */
export const canvas = { light: '#faf9fb', dark: '#0d0c10' };

export const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** `9A04BF`, `#9a04bf` and `#90b` as the server stores them; anything that isn't a color stays as typed. */
export function toColor(text: string): string {
  const bare = text.trim().replace(/^#/, '').toLowerCase();
  if (/^[0-9a-f]{3}$/.test(bare)) return `#${bare.replace(/./g, '$&$&')}`;
  return /^[0-9a-f]{6}$/.test(bare) ? `#${bare}` : text.trim();
}

/** Describes how the page adapts a color. */
export function contrastNote(color: string, dark: boolean): { words: string; faint: boolean } {
  const page = dark ? 'dark' : 'light';
  const { onFill: text } = brandColors(color, [canvas[page]]);
  const words = `${text === WHITE ? 'White' : 'Black'} text on it, ${ratio(contrast(color, text))}.`;
  const seen = contrast(color, canvas[page]);
  if (seen >= EDGE_CONTRAST) return { words, faint: false };
  const help = dark ? 'lighter' : 'darker';
  return {
    words: `${words} Low contrast on the ${page} page, ${ratio(seen)}: buttons get a ${help} edge.`,
    faint: true,
  };
}

const ratio = (value: number) => `${value.toFixed(1)} : 1`;
