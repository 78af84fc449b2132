import type { Asked } from '#features/branding';
import { countDownload, DOWNLOAD_LIMIT, hasBegun } from '#features/serials';
import { type Clock, DAY } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { asciiUrl } from '#platform/network/ascii-url.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import { type Secrets, sha256 } from '#platform/secrets/secrets.ts';
import type { RedemptionDb } from '../tables.ts';
import { type CardRow, findFiles, findOwner } from './downloads.queries.ts';
import { stillProven } from './proven.ts';

/** Port: a product's file in our own storage. */
export interface FileLinks {
  /**
   * A link that leads to the file for a while, and closes with the serial; null for an address elsewhere.
   * @throws {AppError} not_found when the file is gone.
   */
  signedUrl(developerId: string, url: string, serialId: string): Promise<string | null>;
}

interface Dependencies {
  db: RedemptionDb;
  clock: Clock;
  secrets: Secrets;
  fileLinks: FileLinks;
  publicUrl: string;
}

/** The links behind the file buttons of a serial. A click on a file counts, once within some hours; a look does not. */
export class Downloads {
  readonly #deps: Dependencies;
  readonly #links: TokenMint<{ dev: string; serial: string; file: string }>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#links = new TokenMint(deps.secrets, 'download-link', deps.clock);
  }

  /** The address of a file button, which works for a day. */
  urlOf({ developer_id: dev, id: serial }: Pick<CardRow, 'developer_id' | 'id'>, fileUrl: string): string {
    const token = this.#links.sign({ dev, serial, file: fileId(fileUrl) }, DAY);
    return `${this.#deps.publicUrl}/api/redeem/download?token=${token}`;
  }

  /** Whether following the link to this file counts no more for now. */
  begun(card: CardRow, fileUrl: string): boolean {
    return hasBegun(card, fileId(fileUrl), this.#deps.clock.now());
  }

  /**
   * Counts one download and answers where the file is, as long as the product has it. A file that is gone, or whose
   * address cannot be sent, costs nothing; a link that was answered can be followed again, as a resumed download does,
   * without another count.
   */
  async follow(link: string): Promise<string> {
    const { db, clock, fileLinks } = this.#deps;
    const { dev, serial, file } = await this.#open(link);
    const target = (await fileLinks.signedUrl(dev, file.url, serial)) ?? addressOf(file.url);
    const counted = await countDownload(db, {
      developerId: dev,
      serialId: serial,
      file: { id: fileId(file.url), name: file.name },
      now: clock.now(),
    });
    if (counted === 'revoked') throw suspended();
    if (counted === 'limit_reached') throw limitReached();
    return target;
  }

  /** Refuses what {@link follow} would refuse, without counting. It answers nothing that leads to the file. */
  async look(link: string): Promise<void> {
    const { dev, serial, file } = await this.#open(link);
    const owner = await findOwner(this.#deps.db, dev, serial);
    if (!owner || owner.revoked) throw suspended();
    const begun = hasBegun(owner, fileId(file.url), this.#deps.clock.now());
    if (owner.download_count >= DOWNLOAD_LIMIT && !begun) throw limitReached();
  }

  /** Whose a link is, also when it is too old; nothing for one that is not ours. */
  async about(link: string): Promise<Asked> {
    const claims = this.#links.read(link);
    const owner = claims && (await findOwner(this.#deps.db, claims.dev, claims.serial));
    return owner ? { developerId: claims.dev, product: owner.product_name } : {};
  }

  async #open(
    link: string,
  ): Promise<{ dev: string; serial: string; file: Pick<CardRow['files'][number], 'name' | 'url'> }> {
    const claims = this.#links.verify(link);
    if (!claims)
      throw new AppError('download_token_invalid', 'This link has expired. Reload the page with your downloads.');
    const { [claims.dev]: held = [] } = await stillProven(
      this.#deps.db,
      { [claims.dev]: [claims.serial] },
      new Date(claims.iat * 1000),
    );
    if (held.length === 0) {
      throw new AppError('download_token_invalid', 'This serial belongs to somebody else now.');
    }
    const files = await findFiles(this.#deps.db, claims.dev, claims.serial);
    const file = files.find(({ url }) => fileId(url) === claims.file);
    if (!file) throw notFound('File');
    return { dev: claims.dev, serial: claims.serial, file };
  }
}

/**
 * Identifies a file in a link. Anybody can read the link, and the file's own URL would allow uncounted downloads. It is
 * the same for an address that was saved before addresses were encoded.
 */
function fileId(url: string): string {
  return sha256(URL.canParse(url) ? asciiUrl(url) : url).toString('base64url');
}

/** @throws {AppError} not_found for what a header cannot hold. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) throw notFound('File');
  return asciiUrl(url);
}

function suspended(): AppError {
  return new AppError('serial_revoked', 'This license has been suspended.');
}

function limitReached(): AppError {
  return new AppError('download_limit_reached', 'Download limit reached. Request a reset.');
}
