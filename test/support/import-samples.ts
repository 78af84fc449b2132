// Small files in the shape in which other systems export. Names of columns are theirs; everything in them was made here.

export interface ImportSample {
  /** The preset that recognizes it. */
  preset: string;
  name: string;
  kind: 'redeemed' | 'available' | 'customers';
  text: string;
  /** The questions that the import asks, as long as the account has the product. */
  questions: string[];
  /** Columns of the file by what they become. */
  columns: Record<string, string>;
}

const csv = (...lines: string[][]): string => lines.map((cells) => cells.map(quoted).join(',')).join('\r\n');
const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const json = (value: unknown): string => JSON.stringify(value, null, 2);

const lmfwc = [
  ...['id', 'order_id', 'order_num', 'product_id', 'product_name', 'user_id', 'user_name', 'user_email', 'license_key'],
  ...['expires_at', 'valid_for', 'times_activated', 'times_activated_max', 'activated_at', 'created_at', 'created_by'],
];
const lmfwcKeys = [
  ...['id', 'order_id', 'product_id', 'user_id', 'license_key', 'expires_at', 'valid_for', 'status'],
  ...['times_activated', 'times_activated_max', 'created_at', 'created_by', 'updated_at', 'updated_by'],
];
const dlm = [
  ...['id', 'order_id', 'product_id', 'user_id', 'license_key', 'expires_at', 'status', 'activations_limit'],
  ...['created_at', 'created_by', 'updated_at', 'updated_by'],
];
const edd = [
  ...['License ID', 'License Key', 'License Status', 'Customer ID', 'Customer Email', 'Customer Name', 'User ID'],
  ...['Product Name', 'Price ID', 'Purchase Date', 'Expiration Date', 'Activation Limit', 'Activation Count'],
  'Activated URLs',
];
const slm = [
  ...['id', 'license_key', 'max_allowed_domains', 'lic_status', 'first_name', 'last_name', 'email', 'company_name'],
  ...['txn_id', 'manual_reset_count', 'date_created', 'date_renewed', 'date_expiry', 'product_ref', 'subscr_id'],
];

export const importSamples: readonly ImportSample[] = [
  {
    preset: 'license_manager_woocommerce',
    name: 'license_keys_export.csv',
    kind: 'redeemed',
    text: csv(
      lmfwc,
      [
        '1',
        '77',
        '77',
        '12',
        'Chorus',
        '3',
        'Nina Simone',
        'nina@example.com',
        'LMF-0001-AAAA',
        '',
        '',
        '1',
        '3',
        '',
        '2024-05-01 10:00:00',
        '1',
      ],
      [
        '2',
        '78',
        '78',
        '12',
        'Chorus',
        '4',
        'Django R',
        'dj@example.com',
        'LMF-0002-BBBB',
        '2024-12-31 23:59:59',
        '365',
        '0',
        '3',
        '',
        '2024-01-01 09:00:00',
        '1',
      ],
    ),
    questions: ['ends', 'price'],
    columns: { license_key: 'Serial', product_name: 'Product', user_email: 'Email', expires_at: 'License Ends' },
  },
  {
    preset: 'license_manager_woocommerce_keys',
    name: 'license_keys_export.csv',
    kind: 'available',
    text: csv(
      lmfwcKeys,
      ['1', '', 'Chorus', '', 'LMK-0001-AAAA', '', '365', 'ACTIVE', '0', '3', '2024-05-01 10:00:00', '1', '', ''],
      ['2', '9', 'Chorus', '', 'LMK-0002-BBBB', '', '365', 'SOLD', '0', '3', '2024-05-01 10:00:00', '1', '', ''],
    ),
    questions: ['ends'],
    columns: { license_key: 'Serial', product_id: 'Product', expires_at: 'License Ends', status: 'Handed Out' },
  },
  {
    preset: 'digital_license_manager',
    name: 'license_keys_export.csv',
    kind: 'available',
    text: csv(
      dlm,
      ['1', '', 'Chorus', '', 'DLM-0001-AAAA', '', 'Active', '2', '2024-05-01 10:00:00', '1', '', ''],
      [
        '2',
        '',
        'Chorus',
        '',
        'DLM-0002-BBBB',
        '2099-12-31 00:00:00',
        'Delivered',
        '2',
        '2024-05-01 10:00:00',
        '1',
        '',
        '',
      ],
    ),
    questions: ['ends'],
    columns: { license_key: 'Serial', product_id: 'Product', expires_at: 'License Ends', status: 'Handed Out' },
  },
  {
    preset: 'edd_software_licensing',
    name: 'edd-export-licenses.csv',
    kind: 'redeemed',
    text: csv(
      edd,
      [
        '1',
        'e0000000000000000000000000000001',
        'active',
        '5',
        'nina@example.com',
        'Nina Simone',
        '3',
        'Chorus',
        '1',
        '2024-03-02 11:12:13',
        'lifetime',
        '3',
        '2',
        'https://one.example, https://two.example',
      ],
      [
        '2',
        'e0000000000000000000000000000002',
        'expired',
        '6',
        'dj@example.com',
        'Django R',
        '4',
        'Chorus',
        '1',
        '2022-03-02 11:12:13',
        '1677755533',
        '3',
        '0',
        '',
      ],
      [
        '3',
        'e0000000000000000000000000000003',
        'disabled',
        '7',
        'wendy@example.com',
        'Wendy',
        '9',
        'Chorus',
        '1',
        '2024-03-03 11:12:13',
        '4102444800',
        '3',
        '0',
        '',
      ],
    ),
    questions: ['ends', 'price'],
    columns: { 'License Key': 'Serial', 'License Status': 'Revoked', 'Activated URLs': 'Machines' },
  },
  {
    preset: 'software_license_manager',
    name: 'wp_lic_key_tbl.csv',
    kind: 'redeemed',
    text: csv(
      slm,
      [
        '1',
        'slm0000000000001',
        '2',
        'active',
        'Nina',
        'Simone',
        'nina@example.com',
        '',
        'T-1',
        '0',
        '2024-02-03',
        '0000-00-00',
        '2099-02-03',
        'Chorus',
        '',
      ],
      [
        '2',
        'slm0000000000002',
        '2',
        'blocked',
        'Django',
        'R',
        'dj@example.com',
        '',
        'T-2',
        '0',
        '2024-02-04',
        '0000-00-00',
        '0000-00-00',
        'Chorus',
        '',
      ],
    ),
    questions: ['ends', 'price'],
    columns: { license_key: 'Serial', product_ref: 'Product', lic_status: 'Revoked', date_expiry: 'License Ends' },
  },
  {
    preset: 'lemon_squeezy',
    name: 'license-keys.json',
    kind: 'redeemed',
    text: json({
      meta: { page: { currentPage: 1 } },
      data: [
        {
          type: 'license-keys',
          id: '1',
          attributes: {
            ...{ store_id: 1, customer_id: 2, order_id: 3, order_item_id: 4, product_id: 5, user_name: 'Nina Simone' },
            ...{
              user_email: 'nina@example.com',
              key: '80e15db5-c796-436b-850c-8f9c98a48abe',
              key_short: 'XXXX-8f9c98a48abe',
            },
            ...{
              activation_limit: 5,
              instances_count: 0,
              disabled: 0,
              status: 'inactive',
              status_formatted: 'Inactive',
            },
            ...{
              expires_at: null,
              created_at: '2024-05-24T14:15:07.000000Z',
              updated_at: '2024-05-24T14:15:07.000000Z',
            },
          },
          relationships: { product: { data: { type: 'products', id: '5' } } },
        },
      ],
      included: [{ type: 'products', id: '5', attributes: { name: 'Chorus' } }],
    }),
    questions: ['ends', 'price'],
    columns: { key: 'Serial', 'product.name': 'Product', user_email: 'Email', disabled: 'Revoked' },
  },
  {
    preset: 'fastspring_orders',
    name: 'orders.json',
    kind: 'customers',
    text: json({
      orders: [
        {
          ...{
            order: 'o-1',
            id: 'o-1',
            reference: 'ROW1-1',
            buyerReference: null,
            changed: 1714500000000,
            changedInSeconds: 1714500000,
          },
          customer: { first: 'Nina', last: 'Simone', email: 'nina@example.com' },
          items: [{ product: 'chorus', quantity: 1, subtotal: 49 }],
        },
      ],
    }),
    questions: [],
    columns: { 'customer.email': 'Email', 'customer.first': 'First Name', changedInSeconds: 'Signup Date' },
  },
  {
    preset: 'paddle_transactions',
    name: 'transactions.csv',
    kind: 'customers',
    text: csv(
      [
        'id',
        'status',
        'customer_id',
        'customer_email',
        'address_id',
        'address_country_code',
        'business_id',
        'business_name',
        'subscription_id',
        'created_at',
        'updated_at',
        'billed_at',
      ],
      [
        'txn_1',
        'completed',
        'ctm_1',
        'nina@example.com',
        'add_1',
        'US',
        '',
        '',
        '',
        '2024-04-12T10:18:47.635Z',
        '2024-04-12T10:18:47.635Z',
        '2024-04-12T10:18:48.831Z',
      ],
    ),
    questions: [],
    columns: { customer_email: 'Email', created_at: 'Signup Date' },
  },
  {
    preset: 'keygen',
    name: 'licenses.json',
    kind: 'redeemed',
    text: json({
      data: [
        {
          id: 'l-1',
          type: 'licenses',
          attributes: {
            ...{ name: null, key: 'KG-0001-AAAA', expiry: '2099-01-01T00:00:00.000Z', status: 'ACTIVE', uses: 0 },
            ...{ suspended: false, floating: true, strict: false, maxMachines: 3, requireCheckIn: false },
            ...{ metadata: {}, created: '2024-01-02T03:04:05.000Z', updated: '2024-01-02T03:04:05.000Z' },
          },
          relationships: {
            product: { data: { type: 'products', id: 'p-1' } },
            user: { data: { type: 'users', id: 'u-1' } },
            machines: { data: [{ type: 'machines', id: 'm-1' }] },
          },
        },
      ],
      included: [
        { type: 'products', id: 'p-1', attributes: { name: 'Chorus' } },
        { type: 'users', id: 'u-1', attributes: { email: 'nina@example.com', firstName: 'Nina', lastName: 'Simone' } },
        { type: 'machines', id: 'm-1', attributes: { fingerprint: '4d:Eq:UV:D3:XZ:tL:WN:Bz' } },
      ],
    }),
    questions: ['ends', 'price'],
    columns: { key: 'Serial', 'product.name': 'Product', 'user.email': 'Email', 'machines.fingerprint': 'Machines' },
  },
  {
    preset: 'cryptlex',
    name: 'licenses.json',
    kind: 'redeemed',
    text: json([
      {
        ...{ key: '0A2035-E8A2A3-4D31B7-8FF9C6-81A6CA-539E54', revoked: false, suspended: false, totalActivations: 1 },
        ...{ allowedActivations: 2, type: 'node-locked', expiresAt: null, productId: 'Chorus', metadata: [], tags: [] },
        user: { email: 'nina@example.com', firstName: 'Nina', lastName: 'Simone' },
        ...{ id: 'x-1', createdAt: '2024-05-06T08:49:17.936Z', updatedAt: '2024-05-06T08:49:17.936Z' },
      },
    ]),
    questions: ['ends', 'price'],
    columns: { key: 'Serial', productId: 'Product', 'user.email': 'Email', revoked: 'Revoked' },
  },
  {
    preset: 'moonbase',
    name: 'licenses.json',
    kind: 'redeemed',
    text: json({
      items: [
        {
          ...{
            id: 'b4a8f1c2-0001-4000-8000-000000000001',
            status: 'Active',
            createdAt: '2024-05-06T08:49:17Z',
            expiresAt: null,
          },
          ...{ maxNumberOfActivations: 3, activeNumberOfActivations: 1 },
          product: { id: 'chorus', name: 'Chorus' },
          owner: { name: 'Nina Simone', email: 'nina@example.com' },
        },
      ],
    }),
    questions: ['ends', 'price'],
    columns: { id: 'Serial', 'product.name': 'Product', 'owner.email': 'Email', status: 'Revoked' },
  },
];
