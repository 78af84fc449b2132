/** `#rrggbb`, or `#rgb`, which is what a build makes of `#ffffff`. */
function parts(hex: string): number[] {
  const long = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex;
  return [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
}

/** Mixes two colors into an opaque one, or the grid would shine through. */
export function mix(over: string, under: string, share: number): string {
  const below = parts(under);
  return `rgb(${parts(over).map((part, index) => Math.round(part * share + (below[index] ?? 0) * (1 - share)))})`;
}

/** Colors of the parts of a stack: a token, and how much of it over the surface. The last one is for all others together. */
const parts7: readonly (readonly [token: string, share: number])[] = [
  ['--chart-1', 1],
  ['--chart-2', 1],
  ['--chart-3', 1],
  ['--chart-4', 1],
  ['--chart-1', 0.5],
  ['--chart-2', 0.5],
  ['--muted', 0.45],
];

/** The place of a part's color; `others` is the part of all that have none of their own. */
const placeOf = (index: number, others: boolean) => (others ? parts7.length - 1 : index % (parts7.length - 1));

/** The color of a part as CSS, for its legend. */
export function partColor(index: number, others: boolean): string {
  const [token, share] = parts7[placeOf(index, others)] ?? ['--muted', 1];
  return `color-mix(in srgb, var(${token}) ${share * 100}%, var(--surface))`;
}

/** The current theme's colors and font, from the same tokens as the rest of the page. */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    mark: token('--chart-1'),
    second: token('--chart-2'),
    soft: token('--accent-soft'),
    // a little paler than the hovered bar, and still 3 : 1 against the surface
    bar: mix(token('--chart-1'), token('--surface'), 0.76),
    grid: token('--line'),
    axis: token('--line-strong'),
    text: token('--muted'),
    surface: token('--surface'),
    font: token('--font-text'),
    part: (index: number, others: boolean) => {
      const [name, share] = parts7[placeOf(index, others)] ?? ['--muted', 1];
      return mix(token(name), token('--surface'), share);
    },
  };
}

export type Palette = ReturnType<typeof readPalette>;
