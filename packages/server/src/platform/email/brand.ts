/** Whose email it is, as the reader sees it. */
export interface Brand {
  name: string;
  /** `#rrggbb` */
  color: string;
  /** A full address; anything else is left out. */
  logoUrl?: string | null;
  supportEmail?: string | null;
}

export const OUR_BRAND: Brand = { name: 'Tonerow', color: '#6d28d9' };

const DARK = '#18181b';
const LIGHT = '#ffffff';

/** A color fit for a style; what is no color becomes ours. */
export function colorOf(brand: Brand): string {
  return /^#[0-9a-f]{6}$/i.test(brand.color) ? brand.color : OUR_BRAND.color;
}

/** Dark or light, whichever can be read better on the color. */
export function textOn(color: string): string {
  return contrast(color, LIGHT) >= contrast(color, DARK) ? LIGHT : DARK;
}

/** Around an area of the color: a button that is as light as its ground would be text alone. */
export function edgeOf(color: string, ground: string, other: string): string {
  return contrast(color, ground) >= 3 ? color : other;
}

/** WCAG 2: from 1 (the same) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
