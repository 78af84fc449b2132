/** `#rrggbb`, or `#rgb`, which is what a build makes of `#ffffff`. */
function parts(hex: string): number[] {
  const long = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex;
  return [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
}

/** Of two colors; not translucent, or the grid would shine through. */
export function mix(over: string, under: string, share: number): string {
  const below = parts(under);
  return `rgb(${parts(over).map((part, index) => Math.round(part * share + (below[index] ?? 0) * (1 - share)))})`;
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
  };
}

export type Palette = ReturnType<typeof readPalette>;
