import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { ProductPicker } from '#widgets/product-picker.tsx';
import { CreateKey } from './create-key.tsx';
import type { Secrets } from './use-secrets.ts';
import type { Setup, SetupSearch } from './use-setup.ts';

interface SetupFieldsProps {
  setup: Setup;
  secrets: Secrets;
  onSearch: (search: SetupSearch) => void;
  /** The name of the first key, if the screen has no other way to make one. */
  firstKey?: string;
}

/** Selects the product and the key that the code below is filled in with. */
export function SetupFields({ setup, secrets, onSearch, firstKey }: SetupFieldsProps) {
  const [creating, setCreating] = useState(false);
  const { key, keys, product, problems } = setup;
  const shown = key ? secrets.known[key.id] !== undefined : false;
  return (
    <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-2">
      <Field label="Product" error={problems.product}>
        {(control) => <ProductPicker {...control} value={product} onChange={({ id }) => onSearch({ product: id })} />}
      </Field>
      <Field
        label="Plugin key"
        error={problems.key}
        hint={
          !key
            ? 'Create a key first.'
            : !key.can_reveal
              ? 'The secret of this key can no longer be shown. Rotate the key, or choose another.'
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
            {!key && firstKey && !problems.key ? (
              <Button variant="primary" onClick={() => setCreating(true)}>
                Create key
              </Button>
            ) : null}
            {key?.can_reveal ? (
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
      {firstKey ? (
        <CreateKey open={creating} onOpenChange={setCreating} usual={firstKey} onSecret={secrets.show} />
      ) : null}
      {problems.retry ? (
        <Button size="sm" className="justify-self-start" onClick={problems.retry} busy={problems.retrying}>
          <RotateCw className="size-3.5" aria-hidden />
          Retry
        </Button>
      ) : null}
    </div>
  );
}
