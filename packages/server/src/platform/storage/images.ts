import sharp, { type Metadata } from 'sharp';
import { AppError } from '../errors.ts';

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MEGA = 1_000_000;
/** A photograph of 6000 × 4000 fits. */
const MAX_PIXELS = 25 * MEGA;
/** The limit for all frames of an animation together: only the first is decoded, but all of them are looked through. */
const MAX_PIXELS_OF_FRAMES = 500 * MEGA;
/** Decoded size in bytes. Some formats cannot be decoded in strips, so the whole image is in memory at once. */
const MAX_DECODED = 80 * MEGA;
const MAX_SECONDS = 10;
const MAX_SIDE = 2000;
const ACCEPTED = new Set(['png', 'jpeg', 'webp', 'gif']);

// readers of other formats are never started, whatever the content claims to be
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
// one picture at a time takes one core, and leaves nothing behind
sharp.concurrency(1);
sharp.cache(false);

/** Re-encodes images one at a time: a small file can unpack to a hundred megabytes. */
export class ImageEncoder {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Decodes what was sent and writes it as WebP, so that nothing of the sender's file (scripts, metadata, a second file
   * behind the picture) is ever served. The kind is read from the content, never from the name; an animation becomes
   * its first frame.
   * @throws {AppError} unsupported_media_type for anything that is not a PNG, JPEG, WebP or GIF; payload_too_large for
   * one of too many pixels, before any of them is decoded.
   */
  encode(input: Buffer): Promise<Buffer> {
    const turn = this.#last.then(() => encode(input));
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

async function encode(input: Buffer): Promise<Buffer> {
  try {
    // libvips has a limit too, but its error contains neither the image's size nor the limit
    refuseLarge(await sharp(input, { limitInputPixels: false }).metadata());
    return await sharp(input, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .rotate()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 88 })
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('unsupported_media_type', 'The image must be a PNG, JPEG, WebP or GIF of at most 10 MB.', {
      cause,
    });
  }
}

/** Reads the header alone. */
function refuseLarge({ format, width, height, pages = 1, channels = 4, depth, isProgressive }: Metadata): void {
  if (!format || !ACCEPTED.has(format)) throw new Error(`not an accepted image: ${format ?? 'unknown'}`);
  const pixels = width * height;
  // a progressive JPEG is held as coefficients of two bytes
  const bytes = depth === 'uchar' && !(format === 'jpeg' && isProgressive) ? 1 : 2;
  if (pixels <= MAX_PIXELS && pixels * channels * bytes <= MAX_DECODED && pixels * pages <= MAX_PIXELS_OF_FRAMES)
    return;
  throw new AppError(
    'payload_too_large',
    pixels > MAX_PIXELS
      ? `The image has ${Math.round(pixels / MEGA)} megapixels. Use at most ${MAX_PIXELS / MEGA}.`
      : 'The image takes too much memory to decode. Make it smaller, or save it with 8 bits per channel.',
  );
}
