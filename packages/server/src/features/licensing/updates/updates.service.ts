import { computerOf, fileFor, newestVersion, type Platform, platformOf } from '#features/products';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import { type Clock, MINUTE } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { fileIdOf } from '#platform/storage/file-url.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { LicensingDb } from '../tables.ts';
import type { SigningKeys } from '../tokens/signing-keys.ts';
import { isNewer } from './newer.ts';
import { signUpdate } from './update-token.ts';
import type { PluginUpdate, UpdateQuery } from './updates.schemas.ts';

/** Port: the files in our own storage. */
export interface HashedFiles {
  completeAmong(
    developerId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { name: string; size: number; sha256: string | null }>>;
}

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  publicUrl: string;
  keys: SigningKeys;
  files: HashedFiles;
  /** Where the developer's customers redeem and download. */
  redeemUrl(sql: Sql, developerId: string): Promise<string>;
}

interface HashedFile extends Platform {
  name: string;
  size: number;
  sha256: string;
  /** Once somebody has asked for it. */
  signature?: string;
}

/** The newest version, as all plugins of a product get it. */
interface Newest {
  version: string;
  notes: string;
  link: string;
  files: HashedFile[];
}

/** How long plugins may not hear of a version, or of one that was taken back. */
const LIFETIME = MINUTE;
/** Each is some kilobytes. */
const MOST_KNOWN = 2000;

/** The version that customers get now, for plugins. What is asked once is remembered for a minute, for all plugins of a product. */
export class Updates {
  readonly #deps: Dependencies;
  readonly #known: LookupCache<Newest | 'none' | undefined>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#known = new LookupCache({ clock: deps.clock, lifetime: LIFETIME, most: MOST_KNOWN });
  }

  /** @throws {LicenseRefusal} invalid_request for a product that is not this developer's */
  async answer({ developerId }: PluginCaller, asked: UpdateQuery): Promise<PluginUpdate> {
    const { product_id: productId, version } = asked;
    const newest = await this.#known.get(`${developerId}:${productId}`, () => this.#find(developerId, productId));
    // not `not_found`, which counts as guessing a license: a plugin of a product that was deleted asks every day
    if (newest === undefined) throw new LicenseRefusal('invalid_request', 'Product not found.');
    if (newest === 'none' || !isNewer(newest.version, version ?? '')) return { ok: true, up_to_date: true };
    const file = fileFor(newest.files, computerOf(asked.os, asked.arch));
    const { version: name, notes, link } = newest;
    return {
      ok: true,
      up_to_date: false,
      version: name,
      notes,
      link,
      ...(file ? { file: await this.#signed(developerId, productId, name, file) } : {}),
    };
  }

  async #find(developerId: string, productId: string): Promise<Newest | 'none' | undefined> {
    const { db, files, redeemUrl } = this.#deps;
    const found = await newestVersion(db, developerId, productId);
    if (!found) return undefined;
    const { name, notes, note, files: links } = found;
    if (!found.is_current || name === null || links === null) return 'none';
    const ids = links.map(({ url }) => fileIdOf(url)).filter((id) => id !== null);
    const stored = ids.length > 0 ? await files.completeAmong(developerId, ids) : new Map();
    return {
      version: name,
      notes: notes || (note ?? ''),
      link: await redeemUrl(db, developerId),
      files: links.flatMap((link) => {
        const file = stored.get(fileIdOf(link.url) ?? '');
        if (!file?.sha256) return [];
        return [{ name: file.name, size: file.size, sha256: file.sha256, ...platformOf(link.name, file.name) }];
      }),
    };
  }

  async #signed(developerId: string, aud: string, ver: string, file: HashedFile) {
    const { keys, clock, publicUrl } = this.#deps;
    const { name, size, sha256 } = file;
    if (file.signature === undefined) {
      const { current } = await keys.ring(developerId);
      const iat = Math.floor(clock.now().getTime() / 1000);
      file.signature = signUpdate({ iss: publicUrl, aud, iat, ver, file: name, size, sha256 }, current);
    }
    return { name, size, sha256, signature: file.signature };
  }
}
