import { crc32, deflateSync } from 'node:zlib';

interface Shape {
  width: number;
  height: number;
  /** 1: black and white, 8 and 16 per channel. */
  bits: 1 | 8 | 16;
  /** Not with interlacing, which would need another order of the lines. */
  color: 'grey' | 'rgb' | 'rgba';
}

const COLOR = { grey: [0, 1], rgb: [2, 3], rgba: [6, 4] } as const;

/** A PNG of one color: as small as one can be for its size. */
export function blankPng({ width, height, bits, color }: Shape): Buffer {
  const [kind, channels] = COLOR[color];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, kind], 8);
  const line = 1 + Math.ceil((width * bits * channels) / 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(line * height), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A GIF of many frames, each of one dot. */
export function manyFrames(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  screen[4] = 0x80;
  const frame = Buffer.from('21f9040001000000' + '2c000000000100010000' + '0202440100', 'hex');
  return Buffer.concat([
    Buffer.from('GIF89a'),
    screen,
    Buffer.from('000000ffffff', 'hex'),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from(';'),
  ]);
}
