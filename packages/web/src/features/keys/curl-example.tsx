import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { productsQuery } from '../../lib/queries.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';

/** Ready to paste into a terminal: this server's address, a product's id and the key that was revealed last. */
export function CurlExample({ secret }: { secret: string | null }) {
  const products = useQuery(productsQuery(''));
  const [chosen, setChosen] = useState('');
  const product = products.data?.products.find((item) => item.id === chosen) ?? products.data?.products[0];
  const key = secret ?? 'YOUR_PLUGIN_KEY';
  const command = [
    `curl ${location.origin}/api/license/v1/activate \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({
      license_key: 'XXXX-XXXX-XXXX-XXXX',
      machine_id: 'my-machine',
      ...(product ? { product_id: product.id } : {}),
      email: 'customer@example.com',
    })}'`,
  ].join('\n');
  return (
    <section aria-labelledby="try-it" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 id="try-it" className="font-semibold">
            Try it
          </h2>
          <p className="text-muted">
            {secret
              ? 'Your key is filled in. Put a serial in place of the dashes.'
              : 'Reveal a key above and it is filled in here.'}
          </p>
        </div>
        {products.isPending || product ? (
          <Field label="Product" className="w-full sm:w-60">
            {(control) => (
              <Select {...control} value={product?.id ?? ''} onChange={(event) => setChosen(event.target.value)}>
                {(products.data?.products ?? []).map((item) => (
                  <option key={item.id} value={item.id}>
                    {item.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        ) : null}
      </div>
      <CodeBlock title="Activate a licence" code={command} />
      <p className="text-sm text-muted">
        The answer carries a <code className="font-mono">validation_token</code>. Send it to{' '}
        <code className="font-mono">/validate</code> with the same machine to renew it, and call{' '}
        <code className="font-mono">/deactivate</code> to free the seat.
      </p>
    </section>
  );
}
