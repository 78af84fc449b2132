import { importSamples } from '@tonerow/test-support/import-samples.ts';
import { describe, expect, it } from 'vitest';
import { presetMapping, presetOf } from './presets.ts';

// Heads as these systems write them; the rest of each file is made by us.

const GUMROAD = [
  ...['Purchase ID', 'Item Name', 'Buyer Name', 'Purchase Email', 'Buyer Email', 'Do not contact?', 'Purchase Date'],
  ...['Purchase Time (UTC timezone)', 'Subtotal ($)', 'Taxes ($)', 'Sale Price ($)', 'Fees ($)', 'Net Total ($)'],
  ...['Country', 'Refunded?', 'Partial Refund ($)', 'Fully Refunded?', 'Item Price ($)', 'Quantity', 'License Key'],
];
const SHOPIFY = [
  ...[
    'Name',
    'Email',
    'Financial Status',
    'Paid at',
    'Fulfillment Status',
    'Currency',
    'Subtotal',
    'Total',
    'Created at',
  ],
  ...['Lineitem quantity', 'Lineitem name', 'Lineitem price', 'Billing Name', 'Billing Country', 'Notes'],
];

const headOf = (text: string): string[] => (text.split('\r\n')[0] as string).split(',');

describe('a file is recognized by its head', () => {
  it.each(importSamples.filter(({ text }) => !text.startsWith('[') && !text.startsWith('{')))(
    'of $preset',
    (sample) => {
      const head = headOf(sample.text);
      const preset = presetOf(head);
      expect(preset).toMatchObject({ id: sample.preset, kind: sample.kind });
      const mapping = presetMapping(preset as never, head);
      const columns = Object.fromEntries(head.map((name, at) => [name, mapping[at]]));
      expect(columns).toMatchObject(sample.columns);
    },
  );

  it('takes the name of a product before its number, whichever comes first', () => {
    const preset = presetOf(headOf(importSamples[0]?.text ?? ''));
    expect(presetMapping(preset as never, ['product_id', 'product_name'])).toEqual([null, 'Product']);
    expect(presetMapping(preset as never, ['product_id'])).toEqual(['Product']);
  });

  it.each([
    ['tonerow_redeemed', 'redeemed', ['Redeem Date', 'First', 'Last', 'Email', 'Serial', 'Product', 'Total']],
    [
      'tonerow_customers',
      'customers',
      ['Signup Date', 'First Name', 'Last Name', 'Email', 'ID', 'Last Login', 'Product', 'Serial'],
    ],
    [
      'tonerow_serials',
      'available',
      ['Serial', 'Product', 'Promo Price', 'Promo Expires', 'Active From', 'Active To', 'Batch Tag', 'Notes'],
    ],
    ['gumroad', 'redeemed', GUMROAD],
    ['shopify_orders', 'customers', SHOPIFY],
  ])('of %s', (id, kind, head) => {
    expect(presetOf(head)).toMatchObject({ id, kind });
  });

  it('and in any order, with more columns than that', () => {
    expect(presetOf([...GUMROAD, 'UTM Source'].reverse())?.id).toBe('gumroad');
  });

  it('or is none that is known', () => {
    expect(presetOf(['Serial', 'Product', 'Email'])).toBeNull();
    expect(presetOf([])).toBeNull();
  });
});

it('takes the license key, the moment and what was refunded from Gumroad, and not the email of a gift', () => {
  const preset = presetOf(GUMROAD);
  const mapped = Object.fromEntries(GUMROAD.map((head, i) => [head, presetMapping(preset as never, GUMROAD)[i]]));
  expect(mapped).toMatchObject({
    'License Key': 'Serial',
    'Purchase Time (UTC timezone)': 'Purchase Date',
    'Purchase Date': null,
    'Purchase Email': 'Email',
    'Buyer Email': null,
    'Sale Price ($)': 'Total Price',
    'Fully Refunded?': 'Revoked',
  });
});

it('does not take the number of a Shopify order for a name', () => {
  const mapping = presetMapping(presetOf(SHOPIFY) as never, SHOPIFY);
  expect(mapping[SHOPIFY.indexOf('Name')]).toBeNull();
  expect(mapping[SHOPIFY.indexOf('Billing Name')]).toBe('Full Name');
});
