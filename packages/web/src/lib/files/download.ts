/** Without it, Excel reads a CSV in the code page of its country. Programs get theirs from the API, which sends none. */
const BOM = '\ufeff';

/** Offers text or bytes as a file. */
export function saveFile(name: string, parts: BlobPart[], type = 'text/csv;charset=utf-8', page = document) {
  const marked = name.endsWith('.csv') ? [BOM, ...parts] : parts;
  const url = URL.createObjectURL(new Blob(marked, { type }));
  const link = page.createElement('a');
  link.href = url;
  link.download = name;
  page.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function cell(value: string | number | null | undefined): string {
  let text = value === null || value === undefined ? '' : String(value);
  // A spreadsheet would evaluate a cell that begins like a formula.
  if (typeof value === 'string' && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toCsv(header: string[], rows: (string | number | null | undefined)[][]): string {
  return [header, ...rows]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')
    .concat('\r\n');
}
