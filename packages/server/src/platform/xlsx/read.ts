import path from 'node:path/posix';
import type { CsvRecord } from '../csv/read.ts';
import type { SpoolFile } from '../spool/spool-file.ts';
import { type CellFormat, cellFormat, dateText, numberText } from './cell-values.ts';
import { notAWorkbook } from './unusable.ts';
import { type Attributes, readXml, wholeXml } from './xml.ts';
import { Archive } from './zip.ts';

/** Texts that a workbook has once for all its cells are kept in memory: as many characters. */
const MOST_SHARED = 32 * 1024 * 1024;
/** Excel's own limits. */
const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;
/** As of a line of CSV. */
const LONGEST_ROW = 64 * 1024;

export interface Workbook {
  /** The names of its sheets, in their order. Hidden ones come last. */
  sheets: string[];
  /** The rows of one of them; those without anything are left out. */
  rows(sheet: string): AsyncGenerator<CsvRecord>;
}

/** Opens an Excel workbook (.xlsx). A sheet is unpacked while it is read. @throws {AppError} csv_unusable for what is none */
export async function openWorkbook(file: SpoolFile): Promise<Workbook> {
  const archive = await Archive.open(file);
  const { sheets, date1904 } = await sheetsOf(archive);
  if (sheets.size === 0) throw notAWorkbook('The workbook has no sheets.');
  return {
    sheets: [...sheets.keys()],
    async *rows(sheet) {
      const part = sheets.get(sheet);
      if (!part) throw notAWorkbook('The workbook has no such sheet.');
      const [shared, formats] = [await sharedTexts(archive), await formatsOf(archive)];
      yield* rowsOf(archive, part, { shared, formats, date1904 });
    },
  };
}

async function sheetsOf(archive: Archive): Promise<{ sheets: Map<string, string>; date1904: boolean }> {
  const parts = new Map<string, string>();
  const named: { name: string; id: string; hidden: boolean }[] = [];
  let date1904 = false;
  await wholeXml(await archive.read('xl/workbook.xml'), {
    open(name, attributes) {
      if (name === 'workbookPr') date1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      named.push({ name: attributes.name ?? '', id, hidden: (attributes.state ?? 'visible') !== 'visible' });
    },
  });
  await wholeXml(await archive.read('xl/_rels/workbook.xml.rels'), {
    open(name, { Id, Target, Type }) {
      if (name !== 'Relationship' || !Id || !Target || !Type?.endsWith('/worksheet')) return;
      parts.set(Id, Target.startsWith('/') ? Target.slice(1) : path.join('xl', Target));
    },
  });
  const ordered = [...named.filter(({ hidden }) => !hidden), ...named.filter(({ hidden }) => hidden)];
  const sheets = new Map(
    ordered.flatMap(({ name, id }) => {
      const part = parts.get(id);
      return part === undefined ? [] : [[name, part] as const];
    }),
  );
  return { sheets, date1904 };
}

/** Readings of Japanese characters are no part of a text. */
const READING = 'rPh';

async function sharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = [];
  if (!archive.has('xl/sharedStrings.xml')) return texts;
  let [text, size, inText, inReading] = ['', 0, false, false];
  await wholeXml(await archive.read('xl/sharedStrings.xml'), {
    open(name) {
      if (name === 'si') text = '';
      if (name === READING) inReading = true;
      inText = name === 't' && !inReading;
    },
    text(part) {
      if (!inText) return;
      text += part;
      size += part.length;
      if (size > MOST_SHARED) throw notAWorkbook('The workbook has too much text to be read. Save the sheet as CSV.');
    },
    close(name) {
      inText = false;
      if (name === READING) inReading = false;
      if (name === 'si') texts.push(plain(text));
    },
  });
  return texts;
}

/** The number formats of cell styles, by the number of the style. */
async function formatsOf(archive: Archive): Promise<CellFormat[]> {
  const formats: CellFormat[] = [];
  if (!archive.has('xl/styles.xml')) return formats;
  const codes = new Map<number, string>();
  let inCells = false;
  await wholeXml(await archive.read('xl/styles.xml'), {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) {
        const id = Number(attributes.numFmtId ?? 0);
        formats.push(cellFormat(id, codes.get(id)));
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

interface Context {
  shared: readonly string[];
  formats: readonly CellFormat[];
  date1904: boolean;
}

async function* rowsOf(archive: Archive, part: string, context: Context): AsyncGenerator<CsvRecord> {
  const reader = new RowReader(context);
  for await (const _ of readXml(await archive.read(part), reader)) {
    yield* reader.take();
  }
}

/** Collects the rows of a sheet. */
class RowReader {
  readonly #context: Context;
  #rows: CsvRecord[] = [];
  #line = 0;
  #cells: string[] = [];
  #length = 0;
  #place = -1;
  #cell: Attributes = {};
  #value = '';
  #formula = '';
  #within: 'value' | 'formula' | null = null;
  #inReading = false;

  constructor(context: Context) {
    this.#context = context;
  }

  take(): CsvRecord[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'row') {
      this.#line = Number(attributes.r ?? this.#line + 1);
      [this.#cells, this.#place, this.#length] = [[], -1, 0];
      if (!(this.#line <= MOST_ROWS)) throw notAWorkbook('The workbook has more rows than a workbook can have.');
    } else if (name === 'c') {
      this.#cell = attributes;
      this.#place = attributes.r ? placeOf(attributes.r) : this.#place + 1;
      if (!(this.#place >= 0 && this.#place < MOST_COLUMNS))
        throw notAWorkbook('The workbook has more columns than a workbook can have.');
      [this.#value, this.#formula] = ['', ''];
    } else if (name === READING) this.#inReading = true;
    else if (name === 'v' || (name === 't' && !this.#inReading)) this.#within = 'value';
    else if (name === 'f') this.#within = 'formula';
  }

  text(text: string): void {
    if (this.#within === 'value') this.#value += text;
    if (this.#within === 'formula') this.#formula += text;
    this.#length += text.length;
    if (this.#length > LONGEST_ROW) throw notAWorkbook(`Row ${this.#line} of the workbook is longer than 64 kB.`);
  }

  close(name: string): void {
    if (name === READING) this.#inReading = false;
    if (name === 'v' || name === 't' || name === 'f') this.#within = null;
    if (name === 'c') {
      const text = this.#text();
      if (text !== '') {
        while (this.#cells.length < this.#place) this.#cells.push('');
        this.#cells[this.#place] = text;
      }
    }
    if (name === 'row' && this.#cells.some((cell) => cell.trim() !== ''))
      this.#rows.push({ line: this.#line, cells: this.#cells });
  }

  #text(): string {
    const { t: type, s: style } = this.#cell;
    // nobody has calculated it
    if (this.#value === '' && this.#formula !== '') return `=${this.#formula}`;
    if (this.#value === '') return '';
    if (type === 's') return this.#shared(this.#value);
    if (type === 'b') return this.#value === '1' ? 'yes' : 'no';
    if (type === 'str' || type === 'inlineStr' || type === 'e') return plain(this.#value);
    if (type === 'd') return this.#value.replace('T00:00:00.000', '').replace('T00:00:00', '');
    const format = this.#context.formats[Number(style ?? 0)] ?? 'number';
    return format === 'date' ? dateText(this.#value, this.#context.date1904) : numberText(this.#value, format);
  }

  #shared(index: string): string {
    const text = this.#context.shared[Number(index)];
    if (text === undefined)
      throw notAWorkbook('The workbook is damaged: one of its cells refers to a text that is not there.');
    // each cell counts, however often the text is used
    this.#length += text.length;
    if (this.#length > LONGEST_ROW) throw notAWorkbook(`Row ${this.#line} of the workbook is longer than 64 kB.`);
    return text;
  }
}

/** The place of a cell, from 0: `C5` is 2. */
function placeOf(reference: string): number {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return -1;
  let place = 0;
  for (const letter of letters) place = place * 26 + letter.charCodeAt(0) - 64;
  return place - 1;
}

/** Resolves the escapes of characters that XML cannot have. */
function plain(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => {
    const letter = String.fromCharCode(Number.parseInt(code, 16));
    return letter === '\r' ? '' : letter;
  });
}
