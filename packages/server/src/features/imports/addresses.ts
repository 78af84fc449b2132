import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

const ADDRESS = /[^\s,;"<>]+@[^\s,;"<>]+/g;

/** Text in which nothing that looks like an email address is left. */
export function withoutAddresses(text: string): string {
  return text.replaceAll(ADDRESS, '…');
}

export function linesWithoutAddresses(source: Readable): Readable {
  async function* lines() {
    for await (const line of createInterface({ input: source })) yield `${withoutAddresses(line)}\r\n`;
  }
  return Readable.from(lines());
}
