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
