import { createHash } from 'node:crypto';

/** A sale or an adjustment, as it is sealed. Amounts are signed cents. */
export interface SealedRow {
  id: string;
  at: Date;
  kind: string;
  /** The sale that an adjustment changes; null for a sale. */
  refersTo: string | null;
  revenueCents: number;
  commissionCents: number;
  /** The rate of the sale, in hundredths of a percent. */
  commissionBps: number;
}

/** The figures that a statement's digest covers beside its rows. */
export interface SealedFigures {
  number: string;
  /** `YYYY-MM` */
  month: string;
  developerId: string;
  partnershipId: string;
  totalRedemptions: number;
  totalRevenueCents: number;
  resellerEarnedCents: number;
  adjustments: number;
  adjustmentRevenueCents: number;
  adjustmentCommissionCents: number;
  broughtForwardCents: number;
  dueCents: number;
  /** Null for the first statement of a partnership. */
  previousDigest: string | null;
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** One row as a line of the sealed text. docs/statements.md specifies it. */
export function rowLine(row: SealedRow): string {
  const { id, at, kind, refersTo, revenueCents, commissionCents, commissionBps } = row;
  return `${id} ${at.toISOString()} ${kind} ${refersTo ?? '-'} ${revenueCents} ${commissionCents} ${commissionBps}\n`;
}

/** SHA-256 over the rows in the order of their ids, hexadecimal. */
export function rowsDigestOf(rows: readonly SealedRow[]): string {
  const ordered = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  return sha256(ordered.map(rowLine).join(''));
}

/** The text that a statement's digest is taken of. */
export function sealedText(figures: SealedFigures, rowsDigest: string): string {
  return [
    'tonerow statement 2',
    `number ${figures.number}`,
    `month ${figures.month}`,
    `developer ${figures.developerId}`,
    `partnership ${figures.partnershipId}`,
    'currency USD',
    `redemptions ${figures.totalRedemptions}`,
    `revenue ${figures.totalRevenueCents}`,
    `commission ${figures.resellerEarnedCents}`,
    `adjustments ${figures.adjustments}`,
    `adjustment_revenue ${figures.adjustmentRevenueCents}`,
    `adjustment_commission ${figures.adjustmentCommissionCents}`,
    `brought_forward ${figures.broughtForwardCents}`,
    `due ${figures.dueCents}`,
    `rows ${rowsDigest}`,
    `previous ${figures.previousDigest ?? '-'}`,
    '',
  ].join('\n');
}

/** A statement's digest: SHA-256, hexadecimal. */
export function digestOf(figures: SealedFigures, rowsDigest: string): string {
  return sha256(sealedText(figures, rowsDigest));
}
