import { type Customers, DownloadProofs } from '#features/customers';
import { DOWNLOAD_LIMIT } from '#features/serials';
import type { Clock } from '#platform/clock.ts';
import { AppError } from '#platform/errors.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { RedemptionDb } from '../tables.ts';
import { type CardRow, findCards } from './downloads.queries.ts';
import type { ProductCard } from './downloads.schemas.ts';
import type { Downloads } from './downloads.ts';
import { type Proven, stillProven } from './proven.ts';

interface Dependencies {
  db: RedemptionDb;
  clock: Clock;
  secrets: Secrets;
  customers: Pick<Customers, 'followed'>;
  downloads: Downloads;
  publicUrl: string;
}

/** The products that serials open, for a customer who has proven to own them. */
export class ProductCards {
  readonly #deps: Dependencies;
  readonly #proofs: DownloadProofs;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#proofs = new DownloadProofs(deps);
  }

  /** Checks what a download token proves against the current state. One that only an email had proves the address, too. */
  async opened(token: string): Promise<ProductCard[]> {
    const { db, customers } = this.#deps;
    const proof = this.#proofs.serialsOf(token);
    if (!proof) throw new AppError('download_token_invalid', 'Open your downloads again with your serial.');
    if (proof.emailed) await customers.followed(db, proof.emailed, 'opens one');
    return this.of(await stillProven(db, proof.serials, proof.at));
  }

  /** The newest first. */
  async of(proven: Proven): Promise<ProductCard[]> {
    const rows = await findCards(this.#deps.db, proven);
    return rows.map((row) => this.#card(row));
  }

  #card(row: CardRow): ProductCard {
    const { downloads, publicUrl } = this.#deps;
    return {
      product_name: row.product_name,
      image_url: row.image_url,
      serial_code: row.code,
      revoked: row.revoked,
      withdrawn: row.withdrawn,
      download_count: row.download_count,
      download_limit: DOWNLOAD_LIMIT,
      install_help: row.install_help,
      version: row.version,
      unlock_url: row.unlock_id ? `${publicUrl}/api/redeem/unlocks/${row.unlock_id}` : null,
      files: row.files.map(({ name, url, size }) => ({
        name,
        url: downloads.urlOf(row, url),
        size,
        begun: downloads.begun(row, url),
      })),
    };
  }
}
