import type { ComponentProps } from 'react';
import { plural } from '#lib/format/format.ts';
import type { Product } from '#lib/types.ts';
import { TextLink } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Combobox } from '#ui/forms/combobox.tsx';
import { useProductName, useProductSearch } from './use-product-search.ts';

type Choice = Pick<Product, 'id' | 'name'> & Partial<Product>;

interface ProductPickerProps {
  id?: string;
  value: Choice | null;
  onChange: (product: { id: string; name: string }) => void;
  /** The first choice, which represents all products. */
  all?: Choice;
  /** Shows how many serials each product has. */
  withSerials?: boolean;
  ref?: ComponentProps<typeof Combobox>['ref'];
  'aria-label'?: string;
  'aria-invalid'?: true | undefined;
  'aria-required'?: true | undefined;
  'aria-describedby'?: string | undefined;
}

/** Picks one of all products. */
export function ProductPicker({ value, onChange, all, withSerials = false, ...control }: ProductPickerProps) {
  const { typed, search, products, isError, isPending, behind } = useProductSearch();
  const items: Choice[] = all && !typed ? [all, ...products] : products;
  const detail = (product: Choice) => (product.is_draft ? 'Draft' : plural(product.serials_available ?? 0, 'serial'));
  return (
    <Combobox<Choice>
      {...control}
      items={items}
      value={value}
      onChange={({ id, name }) => onChange({ id, name })}
      onSearch={search}
      behind={behind}
      itemKey={(product) => product.id}
      itemLabel={(product) => product.name}
      {...(withSerials ? { itemDetail: detail } : {})}
      placeholder="Choose a product"
      empty={
        isError ? (
          "Products couldn't be loaded."
        ) : isPending ? (
          'Loading products…'
        ) : typed ? (
          'No product matches.'
        ) : (
          <>
            No products yet. <TextLink to="/products/add">Add one</TextLink>
          </>
        )
      }
    />
  );
}

const everything = { id: '', name: 'All products' };

interface ProductFilterProps {
  /** The product by its id; empty: all. */
  product: string;
  onProduct: (product: string) => void;
  className?: string;
}

/** Narrows a list to one product. */
export function ProductFilter({ product, onProduct, className }: ProductFilterProps) {
  const name = useProductName(product) ?? '…';
  return (
    <div className={cn('min-w-0', className)}>
      <ProductPicker
        aria-label="Product"
        value={product === '' ? everything : { id: product, name }}
        onChange={({ id }) => onProduct(id)}
        all={everything}
      />
    </div>
  );
}
