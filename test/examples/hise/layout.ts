import type { HisePlugin } from './host.ts';

interface Box {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}
const boxesOf = (plugin: HisePlugin): Box[] =>
  plugin.screen
    .shown()
    .flatMap(({ name, place: [x = 0, y = 0, width = 0, height = 0] }) =>
      name === 'TonerowBack' ? [] : [{ name, x, y, width, height }],
    )
    .concat(
      plugin.screen.rectangles
        .slice(0, 1)
        .map(({ area: [x, y, width, height] }) => ({ name: 'QR', x, y, width, height })),
    );

/** The components that cover another one, or lie outside. */
export function misplaced(plugin: HisePlugin, width: number, height: number): string[] {
  const boxes = boxesOf(plugin);
  const isOver = (a: Box, b: Box) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  return boxes.flatMap((a, at) => [
    ...(a.x < 0 || a.y < 0 || a.x + a.width > width || a.y + a.height > height || a.height < 10 ? [a.name] : []),
    ...boxes.slice(at + 1).flatMap((b) => (isOver(a, b) ? [`${a.name} over ${b.name}`] : [])),
  ]);
}

/** Labels whose text is longer than their place: by the usual width of letters, and those of Japanese are as wide as high. */
export function tight(plugin: HisePlugin): string[] {
  return boxesOf(plugin).flatMap(({ name, width, height }) => {
    if (name === 'QR') return [];
    const isButton = name.startsWith('TonerowButton');
    const size = isButton ? 12 * 0.7 : Number(toNumber(plugin, name));
    const lines = plugin.screen
      .textIn(name)
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line, size) / (width - 4))), 0);
    const most = isButton ? 2 : Math.max(1, Math.floor(height / (size * 1.15)));
    return lines > most ? [`${name}: ${lines} lines of ${most}: ${plugin.screen.textIn(name)}`] : [];
  });
}
const toNumber = (plugin: HisePlugin, name: string) => {
  const size = plugin.screen.components.get(name)?.properties.get('fontSize');
  return typeof size === 'object' && size && 'value' in size ? size.value : 0;
};
const widthOf = (text: string, size: number) =>
  [...text].reduce((sum, letter) => sum + (letter > '\u2fff' ? 1 : 0.5) * size, 0);
