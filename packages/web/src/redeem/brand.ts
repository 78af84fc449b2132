export interface Brand {
  /** `#rrggbb` */
  color: string;
}

/** Sets a brand's colour, and a colour for text upon it that can always be read. */
export function applyBrand(brand: Brand, root: HTMLElement): void {
  if (!/^#[0-9a-f]{6}$/i.test(brand.color)) return;
  root.style.setProperty('--brand', brand.color);
  root.style.setProperty('--on-brand', textOn(brand.color));
}

/** Black or white, whichever has the higher contrast (WCAG 2.2). One of them always reaches 4.5 : 1. */
export function textOn(color: string): '#000000' | '#ffffff' {
  return contrast(color, '#000000') >= contrast(color, '#ffffff') ? '#000000' : '#ffffff';
}

export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
