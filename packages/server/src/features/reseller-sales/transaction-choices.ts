import { type ChoiceColumn, choiceConditions, fits } from '#platform/db/statements/choices.ts';
import { transactionChoices, transactionKinds } from './sales.schemas.ts';

export type TransactionChoice = keyof typeof transactionChoices;
export type TransactionChoices = { [Key in TransactionChoice]?: string | undefined };

export const choiceKinds = Object.keys(transactionChoices) as TransactionChoice[];

const column = (value: string, type: ChoiceColumn['type'], fit: ChoiceColumn['fits']) => ({ value, type, fits: fit });

/** What is looked at in rows that have the product and the developer. */
export const columnOf = (kind: 'product' | 'developer', alias: string): ChoiceColumn =>
  column(`${alias}.${kind}_id`, 'uuid', fits.id);

/** What was chosen, as conditions. */
export interface Chosen {
  /** On redemptions, by their alias; empty: every one fits. */
  redemption: (alias: string) => string;
  /** On the kind of an entry, which is a word or a column; empty: every one fits. */
  kind: (value: string) => string;
  /** Products that alone fit, if so chosen: whose they are limits which partnerships are read. */
  products: string[];
  none: boolean;
}

/** @throws {AppError} invalid_request at the parameter. */
export function chosenOf(choices: TransactionChoices): Chosen {
  const { product, developer, kind } = choices;
  const all = (conditions: string[]) => conditions.map((condition) => ` and ${condition}`).join('');
  const redemption = (alias: string) =>
    all([
      ...choiceConditions('product', product, columnOf('product', alias)),
      ...choiceConditions('developer', developer, columnOf('developer', alias)),
    ]);
  const ofKind = (value: string) =>
    all(choiceConditions('kind', kind, column(value, 'text', fits.oneOf(transactionKinds))));
  return {
    redemption,
    kind: ofKind,
    products: product?.split(',').filter((id) => id !== '' && !id.startsWith('-')) ?? [],
    none: redemption('r') === '' && ofKind('k') === '',
  };
}
