import { describe, expect, it } from 'vitest';
import { firstRefusal, type LicenseFacts } from './license-rules.ts';

const now = new Date('2026-03-10T12:00:00Z');
const past = new Date('2026-03-09T12:00:00Z');
const future = new Date('2026-03-11T12:00:00Z');
const fresh: LicenseFacts = {
  product_id: 'p',
  product_deleted: false,
  developer_deleted: false,
  is_draft: false,
  revoked_at: null,
  redeemed_at: null,
  promo_start: null,
  expires_at: null,
  owner_email_key: null,
};
const owned: LicenseFacts = { ...fresh, redeemed_at: past, owner_email_key: 'nina@example.com' };
const ask = (license: Partial<LicenseFacts> & LicenseFacts, question: { productId?: string; emailKey?: string } = {}) =>
  firstRefusal(license, { now, productId: null, emailKey: null, ...question });

describe('a license', () => {
  it('in order has nothing against it', () => {
    expect(ask(fresh)).toBeNull();
    expect(ask(owned, { productId: 'p', emailKey: 'nina@example.com' })).toBeNull();
    expect(ask(owned, { productId: 'P' })).toBeNull();
  });

  it('is refused by the first rule that fails', () => {
    expect(ask({ ...owned, revoked_at: past }, { productId: 'other', emailKey: 'x' })).toBe('revoked');
    expect(ask({ ...owned, product_deleted: true })).toBe('revoked');
    expect(ask(owned, { productId: 'other', emailKey: 'x' })).toBe('product_mismatch');
    expect(ask(owned, { emailKey: 'thief@example.com' })).toBe('email_mismatch');
    expect(ask({ ...fresh, developer_deleted: true, is_draft: true })).toBe('expired');
    expect(ask({ ...fresh, is_draft: true })).toBe('not_found');
    expect(ask({ ...fresh, promo_start: future })).toBe('not_yet_valid');
    expect(ask({ ...fresh, expires_at: now })).toBe('expired');
  });

  it('that was redeemed in time outlives the serial’s window', () => {
    expect(ask({ ...owned, expires_at: past })).toBeNull();
    expect(ask({ ...owned, is_draft: true })).toBeNull();
    expect(ask({ ...owned, developer_deleted: true })).toBeNull();
  });
});
