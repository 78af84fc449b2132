import { type ProductForm, productLabels } from './product-schema.ts';

type FieldName = keyof ProductForm;

/** A field that two people changed, with the value that the other one saved. */
export interface Collision {
  field: FieldName;
  label: string;
  stored: string;
}

interface Merged {
  /** The fields that this person changed, to be laid over the newer version. */
  typedChanges: Partial<ProductForm>;
  collisions: Collision[];
}

/** The changes since `base`, and the fields that somebody else set to a different value. */
export function mergeProduct(base: ProductForm, typed: ProductForm, stored: ProductForm): Merged {
  const changed = (Object.keys(productLabels) as FieldName[]).filter((field) => !same(typed[field], base[field]));
  return {
    typedChanges: Object.fromEntries(changed.map((field) => [field, typed[field]])),
    collisions: changed
      .filter((field) => !same(stored[field], base[field]) && !same(stored[field], typed[field]))
      .map((field) => ({ field, label: productLabels[field], stored: inWords(stored[field]) })),
  };
}

function same(one: ProductForm[FieldName], other: ProductForm[FieldName]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function inWords(value: ProductForm[FieldName]): string {
  if (typeof value === 'string') return value || 'empty';
  return value.map((row) => ('text' in row ? row.text : row.name || row.url)).join(', ') || 'empty';
}
