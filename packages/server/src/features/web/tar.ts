/** A file in an archive. */
interface TarFile {
  name: string;
  mode: number;
  content: Buffer;
}

const BLOCK = 512;
/** As npm writes it, so that the same files make the same archive. */
const TIME = 499_162_500;

/** Files as a tar archive (ustar), in this order. */
export function tarOf(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap(({ name, mode, content }) => {
    const padding = (BLOCK - (content.length % BLOCK)) % BLOCK;
    return [header(name, mode, content.length), content, Buffer.alloc(padding)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(name: string, mode: number, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`the name is too long for an archive: ${name}`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  block.write(name, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(TIME, 136, 12);
  // the sum is made with spaces in its own place
  block.write('        0', 148, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
