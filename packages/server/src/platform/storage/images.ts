import sharp from 'sharp';
import { AppError } from '../errors.ts';

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 2000;
const ACCEPTED = new Set(['png', 'jpeg', 'webp', 'gif']);

/**
 * Decodes what was sent and writes it anew as WebP, so that nothing of the sender's file (scripts, metadata, a second
 * file behind the picture) is ever served. The kind is read from the content, never from the name.
 * @throws {AppError} unsupported_media_type for anything that is not a PNG, JPEG, WebP or GIF.
 */
export async function safeImage(input: Buffer): Promise<Buffer> {
  try {
    const image = sharp(input, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { format } = await image.metadata();
    if (!format || !ACCEPTED.has(format)) throw new Error(`not an accepted image: ${format ?? 'unknown'}`);
    return await image
      .rotate()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 88 })
      .toBuffer();
  } catch (cause) {
    throw new AppError('unsupported_media_type', 'The image must be a PNG, JPEG, WebP or GIF of at most 10 MB.', {
      cause,
    });
  }
}
