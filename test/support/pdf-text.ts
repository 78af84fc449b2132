import { inflateSync } from 'node:zlib';

/** The lines of text of a PDF that pdfkit has made, in the order in which they were written. */
export function pdfText(pdf: Buffer): string[] {
  const objects = new Map<string, string>();
  for (const [, id, body] of pdf.toString('latin1').matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g))
    objects.set(id as string, body as string);
  const fonts = new Map<string, Map<number, string>>();
  for (const body of objects.values()) {
    for (const [, name, id] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const unicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id as string) ?? '')?.[1];
      if (unicode) fonts.set(name as string, charactersOf(streamOf(objects.get(unicode) as string)));
    }
  }
  return [...objects.values()]
    .filter((body) => body.includes('stream') && !/\/(Type|Subtype|Length1)\b/.test(body))
    .map(streamOf)
    .filter((content) => content.includes(' TJ'))
    .flatMap((content) => linesOf(content, fonts));
}

function streamOf(body: string): string {
  const at = body.indexOf('stream\n');
  const bytes = Buffer.from(body.slice(at + 7, body.lastIndexOf('\nendstream')), 'latin1');
  return (body.slice(0, at).includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
}

/** Reads the table of a font: the characters behind each of its glyphs. */
function charactersOf(cmap: string): Map<number, string> {
  const characters = new Map<number, string>();
  for (const [, first, list] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    const entries = [...(list as string).matchAll(/<([0-9a-f ]*)>/gi)].map(([, hex]) =>
      (hex as string).replaceAll(' ', ''),
    );
    for (const [at, hex] of entries.entries())
      characters.set(Number.parseInt(first as string, 16) + at, Buffer.from(hex, 'hex').swap16().toString('utf16le'));
  }
  return characters;
}

function linesOf(content: string, fonts: Map<string, Map<number, string>>): string[] {
  const lines: string[] = [];
  let characters = new Map<number, string>();
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font) characters = fonts.get(font) ?? new Map();
    if (shown === undefined) continue;
    const glyphs = [...shown.matchAll(/<([0-9a-f]+)>/gi)].flatMap(([, hex]) => (hex as string).match(/.{4}/g) ?? []);
    lines.push(glyphs.map((glyph) => characters.get(Number.parseInt(glyph, 16)) ?? '').join(''));
  }
  return lines;
}
