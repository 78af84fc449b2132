import { type ChoiceColumn, choiceConditions, fits } from '../../platform/db/choices.ts';
import { type transactionChoices, transactionKinds } from './sales.schemas.ts';

export type TransactionChoice = keyof typeof transactionChoices;
export type TransactionChoices = { [Key in TransactionChoice]?: string | undefined };

const column = (value: string, type: ChoiceColumn['type'], fit: ChoiceColumn['fits']) => ({ value, type, fits: fit });

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
      ...choiceConditions('product', product, column(`${alias}.product_id`, 'uuid', fits.id)),
      ...choiceConditions('developer', developer, column(`${alias}.developer_id`, 'uuid', fits.id)),
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
