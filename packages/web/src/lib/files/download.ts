/** Excel reads a CSV without it in the code page of its country. Programs get theirs from the API, which sends none. */
const BOM = '\ufeff';

/** Lets the browser itself fetch the file that a call was redirected to: it writes to the disk, and goes on after a break. */
export async function openDownload(response: Response, page = document): Promise<void> {
  await response.body?.cancel();
  const link = page.createElement('a');
  link.href = response.url;
  page.body.append(link);
  link.click();
  link.remove();
}

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
