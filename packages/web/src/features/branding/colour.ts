export const defaultColour = '#9a04bf';

const WHITE = '#ffffff';
const BLACK = '#000000';
/** What the redemption page lies on. */
export const canvas = { light: '#faf9fb', dark: '#0d0c10' };
const TEXT = 4.5;
const EDGE = 3;

export const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** `9A04BF`, `#9a04bf` and `#90b` as the server keeps them; what is no colour stays as it was typed. */
export function toColour(text: string): string {
  const bare = text.trim().replace(/^#/, '').toLowerCase();
  if (/^[0-9a-f]{3}$/.test(bare)) return `#${bare.replace(/./g, '$&$&')}`;
  return /^[0-9a-f]{6}$/.test(bare) ? `#${bare}` : text.trim();
}

/** WCAG 2: from 1 (the same) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** White where it can be read, black elsewhere. One of the two always has 4.5 : 1. */
export function textOn(colour: string): string {
  return contrast(colour, WHITE) >= TEXT ? WHITE : BLACK;
}

/** The colour, darker or lighter by no more than it takes to be seen on all of these. */
function legible(colour: string, grounds: readonly string[], least: number): string {
  const worst = (candidate: string) => Math.min(...grounds.map((ground) => contrast(candidate, ground)));
  const end = worst(BLACK) >= worst(WHITE) ? BLACK : WHITE;
  for (let amount = 0; amount < 1; amount += 0.02) {
    const candidate = mix(colour, end, amount);
    if (worst(candidate) >= least) return candidate;
  }
  return end;
}

/** The colour as the edge of an area, and as text, on the surfaces of the redemption page. */
export const edgeOf = (colour: string, grounds: readonly string[]) => legible(colour, grounds, EDGE);
export const inkOf = (colour: string, grounds: readonly string[]) => legible(colour, grounds, TEXT);

/** What the page makes of a colour, in words. */
export function contrastNote(colour: string, dark: boolean): { words: string; faint: boolean } {
  const text = textOn(colour);
  const words = `${text === WHITE ? 'White' : 'Black'} text on it, ${ratio(contrast(colour, text))}.`;
  const seen = contrast(colour, dark ? canvas.dark : canvas.light);
  if (seen >= EDGE) return { words, faint: false };
  const page = dark ? 'dark' : 'light';
  const help = dark ? 'lighter' : 'darker';
  return { words: `${words} Faint on the ${page} page, ${ratio(seen)}: buttons get a ${help} edge.`, faint: true };
}

const ratio = (value: number) => `${value.toFixed(1)} : 1`;

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: string, to: string, amount: number): string {
  const target = channels(to);
  const parts = channels(from).map((part, index) => Math.round(part + ((target[index] ?? 0) - part) * amount));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
