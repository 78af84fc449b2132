import { afterEach, expect, it, vi } from 'vitest';
import { saveFile } from './download.ts';

afterEach(() => vi.restoreAllMocks());

/** The bytes that the browser was given to save. */
async function saved(name: string, parts: BlobPart[], type?: string): Promise<Buffer> {
  const given = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:made-up');
  const link = { click() {}, remove() {} };
  saveFile(name, parts, type, { createElement: () => link, body: { append() {} } } as unknown as Document);
  const [blob] = given.mock.calls.at(-1) ?? [];
  return Buffer.from(await (blob as Blob).arrayBuffer());
}

it('marks a CSV as UTF-8 for spreadsheets, once, whether it was made here or came from the server', async () => {
  const marked = Buffer.from('\ufeffName\r\nŁódź\r\n');
  expect(await saved('list.csv', ['Name\r\nŁódź\r\n'])).toEqual(marked);
  expect(await saved('list.csv', [new Blob(['Name\r\n']), Buffer.from('Łódź\r\n')])).toEqual(marked);
});

it('leaves every other file as it is', async () => {
  const bytes = Buffer.from('%PDF');
  expect(await saved('statement.pdf', [new Blob([bytes])])).toEqual(bytes);
  expect(await saved('key.txt', ['ü'], 'text/plain')).toEqual(Buffer.from('ü'));
});
