/** Cuts or pads a text to a width, so that columns align. */
export function fit(text: string, width: number): string {
  const plain = text.replace(/[^\P{Cc}]/gu, '');
  return plain.length > width ? `${plain.slice(0, Math.max(0, width - 1))}…` : plain.padEnd(width);
}
