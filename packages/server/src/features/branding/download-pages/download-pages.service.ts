import type { Sql } from '#platform/db/database.ts';
import type { AppError, ErrorCode } from '#platform/errors.ts';
import type { Branding } from '../branding.service.ts';
import type { Domains } from '../domains.service.ts';
import type { BrandingDb } from '../tables.ts';
import { type DownloadPage, downloadPage } from './download-page.ts';
import type { PageKind, PageLanguage } from './download-page-texts.ts';

interface Dependencies {
  db: BrandingDb;
  branding: Branding;
  domains: Domains;
  /** Where a developer's customers redeem, and open their downloads. */
  redeemUrl(sql: Sql, developerId: string): Promise<string>;
}

/** The owner of the requested file, as far as it is known. */
export interface Asked {
  developerId?: string | undefined;
  product?: string | undefined;
}

interface Visit {
  asked: Asked;
  /** The Host header. */
  host: string;
  language: PageLanguage;
}

const kinds: Partial<Record<ErrorCode, PageKind>> = {
  download_token_invalid: 'link',
  invalid_request: 'link',
  serial_revoked: 'suspended',
  download_limit_reached: 'limit',
  not_found: 'gone',
  rate_limited: 'wait',
  busy: 'wait',
  unavailable: 'away',
};

/** Pages that a browser shows in place of a file, in the developer's look. */
export class DownloadPages {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** A page that explains why the file was not delivered, and what to do. */
  refused(failure: AppError, visit: Visit): Promise<string> {
    return this.#page(visit, { kind: kinds[failure.code] ?? 'failed', retryAfter: failure.retryAfter });
  }

  /** A page in place of the file, for programs that only look what a link leads to. */
  preview(downloadUrl: string, visit: Visit): Promise<string> {
    return this.#page(visit, { kind: 'ready', downloadUrl });
  }

  async #page({ asked, host, language }: Visit, notice: Pick<DownloadPage, 'kind' | 'retryAfter' | 'downloadUrl'>) {
    const { db, branding, domains, redeemUrl } = this.#deps;
    // the page has to load even when the database does not respond; it is unbranded then
    const found = await (async () => {
      const developerId = asked.developerId ?? (await domains.developerOf(host));
      if (!developerId) return null;
      return { brand: await branding.of(developerId), downloadsUrl: await redeemUrl(db, developerId) };
    })().catch(() => null);
    return downloadPage({
      brand: null,
      downloadsUrl: '/redeem',
      ...found,
      ...notice,
      language,
      product: asked.product,
    });
  }
}
