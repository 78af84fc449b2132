import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type BuiltChoice, chosen, fits } from '#platform/db/statements/choices.ts';
import { transactionChoices, transactionKinds } from './sales.schemas.ts';

export type TransactionChoice = keyof typeof transactionChoices;
export type TransactionChoices = { [Key in TransactionChoice]?: string | undefined };

export const choiceKinds = Object.keys(transactionChoices) as TransactionChoice[];

/** The column to look at, in rows that have the product and the developer. */
export const columnOf = (kind: 'product' | 'developer', alias: string): BuiltChoice => ({
  value: sql<string>`${sql.ref(`${alias}.${kind}_id`)}`,
  type: 'uuid',
  fits: fits.id,
});

/** The chosen filters, as conditions that all have to hold; none: every row fits. */
export interface Chosen {
  /** On redemptions, by their alias. */
  redemption: (alias: string) => Expression<SqlBool>[];
  /** On the kind of an entry, which is a word or a column. */
  kind: (value: RawBuilder<string>) => Expression<SqlBool>[];
  /** Products that alone fit, if so chosen: whose they are limits which partnerships are read. */
  products: string[];
  none: boolean;
}

/** @throws {AppError} invalid_request at the parameter. */
export function chosenOf(choices: TransactionChoices): Chosen {
  const { product, developer, kind } = choices;
  const redemption = (alias: string) => [
    ...chosen('product', product, columnOf('product', alias)),
    ...chosen('developer', developer, columnOf('developer', alias)),
  ];
  const ofKind = (value: RawBuilder<string>) =>
    chosen('kind', kind, { value, type: 'text', fits: fits.oneOf(transactionKinds) });
  return {
    redemption,
    kind: ofKind,
    products: product?.split(',').filter((id) => id !== '' && !id.startsWith('-')) ?? [],
    none: redemption('r').length === 0 && ofKind(sql`k`).length === 0,
  };
}
