import type { Language } from '../text/languages.ts';
import type { Brand } from './brand.ts';

export interface EmailContent {
  to: string;
  /** Also the headline. */
  subject: string;
  /** Paragraphs. */
  lines: string[];
  /** A code to read off, type or copy: large, in a box of its own. */
  serial?: { label: string; code: string };
  /** A small table below them, without a header row: a label and a value, or a name and its figures. */
  rows?: string[][];
  link?: { label: string; url: string };
  /** A small one on top. The email must make sense without it: most programs ask before they load pictures. */
  picture?: { url: string; alt: string };
  /** A second table with a title. */
  list?: { title: string; rows: string[][] };
  /** The texts that the email itself adds, for a reader in another language than English. */
  words?: { language: Language; help: string; unsubscribe?: string };
  /** A developer's email has the developer's branding and reply address; without a brand it is Tonerow's own. */
  brand?: Brand;
  /** Set for optional emails. The address accepts a POST for one-click unsubscribe (RFC 8058). */
  unsubscribeUrl?: string;
}
