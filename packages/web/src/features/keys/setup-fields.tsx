import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDebounced } from '../../lib/hooks.ts';
import { productsQuery } from '../../lib/queries.ts';
import { Button, TextLink } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Secrets } from './use-secrets.ts';
import type { Setup, SetupSearch } from './use-setup.ts';

interface SetupFieldsProps {
  setup: Setup;
  secrets: Secrets;
  onSearch: (search: SetupSearch) => void;
}

/** Which product and which key the code below is for. */
export function SetupFields({ setup, secrets, onSearch }: SetupFieldsProps) {
  const [typed, setTyped] = useState('');
  const list = useQuery(productsQuery(useDebounced(typed.trim())));
  const { key, keys, product } = setup;
  const shown = key ? secrets.known[key.id] !== undefined : false;
  return (
    <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-2">
      <Field label="Product">
        {(control) => (
          <Combobox<{ id: string; name: string }>
            {...control}
            items={list.data?.products ?? []}
            value={product}
            onChange={({ id }) => onSearch({ product: id })}
            onSearch={setTyped}
            itemKey={({ id }) => id}
            itemLabel={({ name }) => name}
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
        )}
      </Field>
      <Field
        label="Plugin key"
        hint={
          !key
            ? 'Create a key first.'
            : shown
              ? 'Your key is in the code below.'
              : 'The code holds {{PLUGIN_KEY}} until you reveal the key.'
        }
      >
        {(control) => (
          <div className="flex gap-2">
            <Select
              {...control}
              className="min-w-0 flex-1"
              value={key?.id ?? ''}
              disabled={!key}
              onChange={(event) => onSearch({ key: event.target.value })}
            >
              {key ? null : <option value="">No key</option>}
              {keys.map((item) => (
                <option key={item.id} value={item.id}>
                  {item.label} (••••{item.hint})
                </option>
              ))}
            </Select>
            {key ? (
              <Button
                busy={secrets.isRevealing(key.id)}
                onClick={() => (shown ? secrets.hide(key.id) : secrets.reveal(key.id))}
              >
                {shown ? 'Hide key' : 'Fill in key'}
              </Button>
            ) : null}
          </div>
        )}
      </Field>
    </div>
  );
}
