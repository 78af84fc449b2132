import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { systemClock } from '../clock.ts';
import { systemRandom } from '../random.ts';
import { Spool } from '../spool/spool.ts';
import { openWorkbook } from './read.ts';

let folder: string;
let spool: Spool;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-xlsx-'));
  spool = await Spool.open({ folder, limit: 1024 ** 3, random: systemRandom(systemClock) });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const MAIN =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';

const parts = (sheet: string, more: Record<string, string> = {}): Record<string, string> => ({
  'xl/workbook.xml': `<?xml version="1.0"?><workbook ${MAIN}><sheets><sheet name="Old" state="hidden" r:id="rId2"/><sheet name="Sales" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${TYPE}" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${TYPE}" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
  'xl/worksheets/sheet1.xml': `<worksheet ${MAIN}><sheetData>${sheet}</sheetData></worksheet>`,
  'xl/worksheets/sheet2.xml': `<worksheet ${MAIN}><sheetData><row><c t="inlineStr"><is><t>old</t></is></c></row></sheetData></worksheet>`,
  ...more,
});

async function packed(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

async function read(bytes: Buffer, sheet = 'Sales') {
  const file = await spool.receive(Readable.from([bytes]), 'ada');
  try {
    const workbook = await openWorkbook(file);
    const rows: (readonly [number, ...string[]])[] = [];
    for await (const { line, cells } of workbook.rows(sheet)) rows.push([line, ...cells]);
    return { sheets: workbook.sheets, rows };
  } finally {
    await file.close();
  }
}

describe('a workbook', () => {
  it('has the sheets that are seen first, and rows with the numbers that they have there', async () => {
    const found = await read(
      await packed(
        parts(
          '<row r="2"><c r="A2" t="inlineStr"><is><t>Serial</t></is></c><c r="C2"><v>5</v></c></row><row r="3"/><row r="5"><c r="B5"><v>7</v></c></row>',
        ),
      ),
    );
    expect(found).toEqual({
      sheets: ['Sales', 'Old'],
      rows: [
        [2, 'Serial', '', '5'],
        [5, '', '7'],
      ],
    });
  });

  it('has texts once for all cells, in parts, with readings that are no part of them', async () => {
    const shared = `<sst ${MAIN}><si><t>Serial</t></si><si><r><t>Chor</t></r><r><t xml:space="preserve">us </t></r></si><si><t>課きく</t><rPh sb="0" eb="1"><t>カ</t></rPh></si><si><t>a_x000D_&#10;b &amp; c</t></si></sst>`;
    const row = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c></row>';
    const { rows } = await read(await packed(parts(row, { 'xl/sharedStrings.xml': shared })));
    expect(rows).toEqual([[1, 'Serial', 'Chorus ', '課きく', 'a\nb & c']]);
  });

  it('has numbers that are dates, codes with zeros in front, and digits that were lost', async () => {
    const styles = `<styleSheet ${MAIN}><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy hh:mm"/><numFmt numFmtId="165" formatCode="000000"/><numFmt numFmtId="166" formatCode="#,##0.00 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`;
    const cells = [
      '<c s="0"><v>49.100000000000001</v></c>',
      '<c s="1"><v>45413</v></c>',
      '<c s="2"><v>45413.77083333333</v></c>',
      '<c s="3"><v>4711</v></c>',
      '<c s="4"><v>1299.5</v></c>',
      '<c><v>8.93E+18</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="e"><v>#REF!</v></c>',
      '<c t="str"><f>A1&amp;B1</f><v>made</v></c>',
      '<c><f>A1*2</f></c>',
    ];
    const { rows } = await read(await packed(parts(`<row>${cells.join('')}</row>`, { 'xl/styles.xml': styles })));
    expect(rows).toEqual([
      [1, '49.1', '2024-05-01', '2024-05-01 18:30:00', '004711', '1299.5', '8.93E+18', 'yes', '#REF!', 'made', '=A1*2'],
    ]);
  });

  it('is read by its other sheet', async () => {
    expect((await read(await packed(parts('')), 'Old')).rows).toEqual([[1, 'old']]);
  });
});

describe('what is refused', () => {
  it.each([
    ['no archive', async () => Buffer.from('PK\x03\x04 and no more'), 'no complete workbook'],
    [
      'another archive',
      () => packed({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }),
      'no Excel workbook',
    ],
    ['a cut archive', async () => (await packed(parts('<row/>'))).subarray(0, 300), 'no complete workbook'],
    ['a part that is not well formed', () => packed(parts('<row><c></row>')), 'not well formed'],
    [
      'entities',
      () =>
        packed({
          ...parts(''),
          'xl/worksheets/sheet1.xml': '<!DOCTYPE x [<!ENTITY a "b">]><worksheet>&a;</worksheet>',
        }),
      'not well formed',
    ],
    ['deep nesting', () => packed(parts('<a>'.repeat(100))), 'not well formed'],
    ['a cell far out', () => packed(parts('<row><c r="ZZZ1"><v>1</v></c></row>')), 'more columns'],
    ['rows without end', () => packed(parts('<row r="99999999"><c><v>1</v></c></row>')), 'more rows'],
    ['a text that is not there', () => packed(parts('<row><c t="s"><v>7</v></c></row>')), 'refers to a text'],
    [
      'a row of megabytes',
      () => packed(parts(`<row><c t="inlineStr"><is><t>${'x'.repeat(100_000)}</t></is></c></row>`)),
      'longer than 64 kB',
    ],
  ])('%s', async (_what, bytes, message) => {
    await expect(read(await bytes())).rejects.toThrow(message);
  });

  it('a bomb: a part that unpacks to more than announced, or all of them to more than any workbook', async () => {
    const honest = await packed(parts(`<!--${' '.repeat(3_000_000)}-->`));
    // the directory at the end has what each part unpacks to
    const lied = (from: number, to: number) => {
      const bytes = Buffer.from(honest);
      const [old, said] = [Buffer.alloc(4), Buffer.alloc(4)];
      old.writeUInt32LE(from);
      said.writeUInt32LE(to);
      const at = bytes.lastIndexOf(old);
      expect(at).toBeGreaterThan(0);
      said.copy(bytes, at);
      return bytes;
    };
    const full = Buffer.byteLength(parts(`<!--${' '.repeat(3_000_000)}-->`)['xl/worksheets/sheet1.xml'] as string);
    await expect(read(lied(full, 100))).rejects.toThrow('workbook');
    await expect(read(lied(full, 0xf000_0000))).rejects.toThrow('larger than any');
  });
});
