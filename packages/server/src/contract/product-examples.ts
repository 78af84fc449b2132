import type { Example } from './example.ts';

const product = {
  id: '019cd0a0-0000-7000-8000-000000000001',
  name: 'Prism Delay',
  juce_product_id: 'Prism Delay',
  short_desc: 'A delay that bends light.',
  long_desc: '',
  install_help: '',
  feature_list: ['Four delay lines', 'Tempo sync'],
  price: 99,
  sale_price: null,
  image_url: null,
  file_urls: [{ name: 'Manual', url: 'https://example.com/manual.pdf' }],
  is_draft: false,
  serials_available: 0,
  max_activations: 3,
  offline_days: 30,
  lease_days: 90,
  trial_days: 14,
  on_loss: 'finish',
  version: 1,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

export const productExamples: Record<string, Example> = {
  createProduct: { request: { name: 'Prism Delay', price: 99, trial_days: 14 }, answers: { 201: product } },
  updateProduct: { request: { price: 79 }, answers: { 200: { ...product, price: 79, version: 2 } } },
  getProduct: { answers: { 200: product } },
  listProducts: { answers: { 200: [product] } },
  createPluginKey: { request: { label: 'Prism Delay 1.4' }, answers: {} },
  updatePluginKey: { request: { label: 'Prism Delay 1.5' }, answers: {} },
  createAccessToken: { request: { name: 'ci', scopes: ['products:read', 'serials:write'] }, answers: {} },
  rotatePluginKey: { request: { grace_seconds: 2_592_000, label: 'Prism Delay 2' }, answers: {} },
  createFileVersion: { request: { name: '1.4.2' }, answers: {} },
  announceFileVersion: { request: { note: 'Fixes a click at the loop’s end.', dry_run: true }, answers: {} },
  importProductRsa: {
    request: { private_key_pem: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n' },
    answers: {},
  },
  createTrust: {
    request: {
      name: 'release',
      issuer: 'https://token.actions.githubusercontent.com',
      repository_id: '123456789',
      branch: 'main',
      scopes: ['account:read', 'products:read', 'serials:write'],
    },
    answers: {},
  },
  createFile: { request: { name: 'PrismDelay-1.4.0.dmg', size: 48_000_000 }, answers: {} },
};
