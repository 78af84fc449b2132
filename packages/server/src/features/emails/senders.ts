import { type Account, nameOfAccount } from './accounts.queries.ts';
import type { Sender } from './to-customers/customer-emails.ts';

/** Whose look and name an email has. */
export class Senders {
  readonly #publicUrl: string;

  constructor({ publicUrl }: { publicUrl: string }) {
    this.#publicUrl = publicUrl;
  }

  of(account: Look & Parameters<typeof nameOfAccount>[0]): Sender {
    return this.named(nameOfAccount(account), account);
  }

  named(name: string, look: Look): Sender {
    const { brand_color: color, support_email: supportEmail, support_url: supportUrl } = look;
    return { brand: { name, color, logoUrl: this.absolute(look.logo_url), supportEmail }, supportUrl };
  }

  /** The full address of a picture, which may be in our own storage. */
  absolute(url: string | null): string | null {
    return url?.startsWith('/') ? `${this.#publicUrl}${url}` : url;
  }
}

type Look = Pick<Account, 'brand_color' | 'logo_url' | 'support_email' | 'support_url'>;
