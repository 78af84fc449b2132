/** A brand color adapted for a page, so that any color stays readable. */
export interface BrandColors {
  /** The color itself, for fills. */
  fill: string;
  onFill: string;
  hover: string;
  /** The border of a fill: 3 : 1 against the backgrounds, so that a white button on white is still visible. */
  edge: string;
  /** The color as text: 4.5 : 1. */
  text: string;
}

const BLACK = '#000000';
const WHITE = '#ffffff';
const TEXT_CONTRAST = 4.5;
/** The contrast that a fill needs against its background: WCAG 2, 1.4.11. */
export const EDGE_CONTRAST = 3;
const HOVER_SHIFT = 0.12;
const STEP = 0.02;

/** `grounds` are the surfaces the color is put on. Black or white always reaches 4.58 : 1 on any color. */
export function brandColors(color: string, grounds: readonly string[]): BrandColors {
  const fill = color.toLowerCase();
  const onFill = contrast(fill, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK;
  return {
    fill,
    onFill,
    // away from the text color, which can only increase its contrast
    hover: mix(fill, onFill === WHITE ? BLACK : WHITE, HOVER_SHIFT),
    edge: legible(fill, grounds, EDGE_CONTRAST),
    text: legible(fill, grounds, TEXT_CONTRAST),
  };
}

/** The color, darkened or lightened no more than necessary. */
function legible(color: string, grounds: readonly string[], least: number): string {
  const worst = (candidate: string) => Math.min(...grounds.map((ground) => contrast(candidate, ground)));
  const end = worst(BLACK) >= worst(WHITE) ? BLACK : WHITE;
  for (let amount = 0; amount < 1; amount += STEP) {
    const candidate = mix(color, end, amount);
    if (worst(candidate) >= least) return candidate;
  }
  return end;
}

/** WCAG 2: from 1 (the same) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function mix(from: string, to: string, amount: number): string {
  const target = channels(to);
  const parts = channels(from).map((part, index) => Math.round(part + ((target[index] ?? 0) - part) * amount));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** A build writes `#fff` for `#ffffff`. */
function channels(color: string): number[] {
  const hex = color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color;
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}
