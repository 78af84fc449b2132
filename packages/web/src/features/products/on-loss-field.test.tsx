import { renderToStaticMarkup } from 'react-dom/server';
import { useForm } from 'react-hook-form';
import { expect, it } from 'vitest';
import { OnLossField } from './on-loss-field.tsx';
import { blankProduct, type ProductForm, productSchema, toRequest } from './product-schema.ts';

function Shown() {
  return <OnLossField form={useForm<ProductForm>({ values: blankProduct })} />;
}

it('offers what a plugin may do when it loses its license, and sends what was chosen', () => {
  const html = renderToStaticMarkup(<Shown />);
  expect(html).toContain('When a license is lost');
  expect(html).toMatch(/<select[^>]* name="on_loss"/);
  const options = [...html.matchAll(/<option value="(\w+)"[^>]*>([^<]+)</g)].map(([, value, text]) => [value, text]);
  expect(options).toEqual([
    ['finish', 'Finish the session'],
    ['bypass', 'Pass sound through unchanged'],
    ['mute', 'Mute'],
  ]);
  for (const [on_loss] of options) {
    const chosen = productSchema.parse({ ...blankProduct, name: 'Prism Delay', on_loss });
    expect(toRequest(chosen)).toMatchObject({ on_loss });
  }
  expect(toRequest(blankProduct)).toMatchObject({ on_loss: 'finish' });
});
