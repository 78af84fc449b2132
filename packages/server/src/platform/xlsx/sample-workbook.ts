import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const MAIN =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const WORKSHEET = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';

/** Makes an Excel workbook for tests. Whole numbers above 40,000 are shown as dates. */
export async function workbook(sheets: Record<string, (string | number)[][]>): Promise<Buffer> {
  const names = Object.keys(sheets);
  const zip = new ZipFile();
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name);
  add(
    'xl/workbook.xml',
    `<workbook ${MAIN}><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i}"/>`).join('')}</sheets></workbook>`,
  );
  const relations = names.map(
    (_, i) => `<Relationship Id="rId${i}" Type="${WORKSHEET}" Target="worksheets/sheet${i}.xml"/>`,
  );
  add('xl/_rels/workbook.xml.rels', `<Relationships>${relations.join('')}</Relationships>`);
  add('xl/styles.xml', `<styleSheet ${MAIN}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`);
  for (const [i, name] of names.entries()) {
    const rows = (sheets[name] ?? []).map((cells) => `<row>${cells.map(cell).join('')}</row>`);
    add(`xl/worksheets/sheet${i}.xml`, `<worksheet ${MAIN}><sheetData>${rows.join('')}</sheetData></worksheet>`);
  }
  zip.end();
  return buffer(zip.outputStream as Readable);
}

function cell(value: string | number): string {
  if (typeof value === 'string') return `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  return `<c s="${Number.isInteger(value) && value > 40_000 ? 1 : 0}"><v>${value}</v></c>`;
}
