import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '../../lib/format.ts';
import { useDebounced } from '../../lib/hooks.ts';
import { productsQuery } from '../../lib/queries.ts';
import type { Product } from '../../lib/types.ts';
import { TextLink } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';

type Choice = Pick<Product, 'id' | 'name'> & Partial<Product>;

interface ProductPickerProps {
  id?: string;
  value: Choice | null;
  onChange: (product: { id: string; name: string }) => void;
  'aria-invalid'?: true | undefined;
  'aria-required'?: true | undefined;
  'aria-describedby'?: string | undefined;
}

export function ProductPicker({ value, onChange, ...control }: ProductPickerProps) {
  const [typed, setTyped] = useState('');
  const list = useQuery(productsQuery(useDebounced(typed.trim())));
  const products: Choice[] = list.data?.products ?? [];
  return (
    <Combobox<Choice>
      {...control}
      items={products}
      value={value}
      onChange={(product) => onChange({ id: product.id, name: product.name })}
      onSearch={setTyped}
      itemKey={(product) => product.id}
      itemLabel={(product) => product.name}
      itemDetail={(product) => (product.is_draft ? 'Draft' : plural(product.serials_available ?? 0, 'serial'))}
      placeholder="Choose a product"
      empty={
        list.isError ? (
          "Products couldn't be loaded."
        ) : list.isPending ? (
          'Loading products…'
        ) : typed ? (
          'No product has this in its name.'
        ) : (
          <>
            No products yet. <TextLink to="/products/add">Add one</TextLink>
          </>
        )
      }
    />
  );
}
