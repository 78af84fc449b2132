import { invalidField } from '#platform/errors.ts';
import { bodySlots } from '#platform/http/limits/body-slots.ts';
import type { Random } from '#platform/random.ts';
import { ImageEncoder } from '#platform/storage/images.ts';
import type { Storage, StoredObject } from '#platform/storage/storage.ts';

/** Pictures that anybody may see: logos now, product images too. */
export class Media {
  readonly #storage: Storage;
  readonly #random: Random;
  readonly #encoder = new ImageEncoder();
  /** Each holds up to 10 MB until it is re-encoded. */
  readonly slots = bodySlots({ total: 6, each: 2 });

  constructor(deps: { storage: Storage; random: Random }) {
    this.#storage = deps.storage;
    this.#random = deps.random;
  }

  /**
   * Stores an uploaded picture and answers its path, or null when none was sent.
   * @throws {AppError} unsupported_media_type for what is not a picture, payload_too_large for one of too many pixels.
   */
  async storeImage(upload: unknown, path: string): Promise<string | null> {
    if (upload === undefined || upload === null || upload === '') return null;
    if (!Buffer.isBuffer(upload)) throw invalidField(path, 'Send the image as a file in a multipart form.');
    if (upload.length === 0) return null;
    const name = `${this.#random.id()}.webp`;
    await this.#storage.put(`images/${name}`, await this.#encoder.encode(upload), 'image/webp');
    return `/media/images/${name}`;
  }

  async openImage(name: string): Promise<StoredObject | null> {
    return /^[0-9a-f-]{36}\.webp$/.test(name) ? this.#storage.get(`images/${name}`) : null;
  }
}
