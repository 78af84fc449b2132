import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { inDrawnOrder, readable } from './readable.ts';

const require = createRequire(import.meta.url);
const fonts = {
  body: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  mono: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
};

export const MARGIN = 54;
export const WIDTH = 612 - 2 * MARGIN;
export const MUTED = '#5c5a66';
const LINE = '#d9d7e0';

export type Doc = InstanceType<typeof PDFDocument>;

/** The sender or the recipient. */
export interface PaperParty {
  label: string;
  name: string;
  /** Address, email, tax id: what there is of them. */
  lines: readonly string[];
}

/** A table of what is called how, and its amount. */
export interface PaperTable {
  title: string;
  rows: readonly (readonly [string, string])[];
}

/** A paper of US letter size. `createdAt` is part of it: the same paper has the same bytes whenever it is made. */
export async function pdfOf(
  { title, subtitle, createdAt }: { title: string; subtitle: string; createdAt: Date },
  draw: (doc: Doc) => void,
): Promise<Buffer> {
  const doc = new PDFDocument({
    size: [612, 792],
    margin: MARGIN,
    info: { Title: title, Creator: 'Tonerow', Producer: 'Tonerow', CreationDate: createdAt },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<void>((resolve, reject) => doc.once('end', resolve).once('error', reject));
  for (const [name, file] of Object.entries(fonts)) doc.registerFont(name, file);
  writeReadably(doc);
  doc.font('bold').fontSize(20).text(title);
  doc.font('body').fontSize(10).fillColor(MUTED).text(subtitle);
  doc.moveDown(1.5);
  draw(doc);
  doc.end();
  await done;
  return Buffer.concat(parts);
}

/** Makes the document write characters that its font can't draw in letters that it can, and lines of any direction. */
function writeReadably(doc: Doc): void {
  // the types don't have it
  const drawing = doc as unknown as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } };
  const write = doc.text.bind(doc) as (text: string, ...rest: unknown[]) => Doc;
  const has = (codePoint: number) => drawing._font.font.hasGlyphForCodePoint(codePoint);
  doc.text = (text: string, ...rest: unknown[]) => write(inDrawnOrder(readable(text, has)), ...rest);
}

/** Two parties side by side. */
export function drawParties(doc: Doc, left: PaperParty, right: PaperParty): void {
  const top = doc.y;
  const column = WIDTH / 2 - 12;
  drawParty(doc, left, MARGIN, top, column);
  const bottom = doc.y;
  drawParty(doc, right, MARGIN + WIDTH / 2 + 12, top, column);
  doc.x = MARGIN;
  doc.y = Math.max(bottom, doc.y);
  doc.moveDown(1.5);
}

function drawParty(doc: Doc, { label, name, lines }: PaperParty, x: number, y: number, width: number): void {
  doc.font('body').fontSize(9).fillColor(MUTED).text(label, x, y, { width });
  doc.font('bold').fontSize(11).fillColor('black').text(name, { width, height: 44, ellipsis: true });
  doc.font('body').fontSize(9);
  for (const line of lines) doc.text(line, { width, height: 48, ellipsis: true });
}

export function drawTable(doc: Doc, { title, rows }: PaperTable): void {
  if (doc.y > 640) doc.addPage();
  doc.font('bold').fontSize(11).fillColor('black').text(title, MARGIN);
  doc.moveDown(0.4);
  doc.font('body').fontSize(9.5);
  for (const [label, value] of rows) {
    if (doc.y > 690) doc.addPage();
    const y = doc.y;
    doc.fillColor(MUTED).text(label, MARGIN, y, { width: WIDTH - 140, height: 26, ellipsis: true });
    const bottom = doc.y;
    doc.fillColor('black').text(value, MARGIN + WIDTH - 130, y, { width: 130, align: 'right' });
    doc.y = Math.max(bottom, doc.y) + 3;
    doc
      .moveTo(MARGIN, doc.y)
      .lineTo(MARGIN + WIDTH, doc.y)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke();
    doc.y += 4;
  }
  doc.x = MARGIN;
  doc.moveDown(1.2);
}
