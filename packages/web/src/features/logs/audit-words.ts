import type { AuditAction, AuditEntry } from '#lib/types.ts';

/** The words of an action, as a choice of the filter and at the beginning of a row. */
export const actionWords: Record<AuditAction, string> = {
  signed_in: 'Signed in',
  terminal_signed_in: 'Terminal signed in',
  signed_out: 'Signed out',
  session_ended: 'Session ended',
  profile_changed: 'Profile changed',
  password_changed: 'Password changed',
  password_reset: 'Password set by an emailed link',
  two_factor_on: 'Two-factor sign-in switched on',
  two_factor_off: 'Two-factor sign-in switched off',
  recovery_codes_renewed: 'Recovery codes renewed',
  archive_made: 'Archive of the account asked for',
  token_created: 'Access token created',
  token_deleted: 'Access token deleted',
  trust_created: 'Trust for CI created',
  trust_changed: 'Trust for CI changed',
  trust_deleted: 'Trust for CI deleted',
  trust_used: 'Token issued to a CI job',
  plan_changed: 'Plan changed',
  key_created: 'Plugin key created',
  key_changed: 'Plugin key changed',
  key_rotated: 'Plugin key rotated',
  key_revealed: 'Secret of a plugin key shown',
  key_deleted: 'Plugin key deleted',
  product_deleted: 'Product deleted',
  unlock_made: 'Unlock for good made',
  unlock_downloaded: 'Unlock for good downloaded',
  unlock_published: 'Unlock for good published',
  unlock_withdrawn: 'Unlock for good withdrawn',
  expansion_secret_rotated: 'Expansion secret rotated',
  version_recorded: 'File version recorded',
  version_used: 'File version made current',
  version_announced: 'Owners emailed about a version',
  version_deleted: 'File version deleted',
  serials_exported: 'Serials exported',
  serials_changed: 'Serials changed in bulk',
  serials_deleted: 'Serials deleted',
  serial_revoked: 'Serial revoked',
  serial_reassigned: 'Serial reassigned',
  serial_transferred: 'Serial given to another customer',
  sale_refunded: 'Sale refunded',
  refund_undone: 'Refund taken back',
  batch_changed: 'Dates of a batch changed',
  batch_revoked: 'Rest of a batch revoked',
  import_undone: 'Import taken back',
  customers_exported: 'Customers exported',
  customer_changed: 'Customer changed',
  customer_exported: 'Data of a customer exported',
  customer_erased: 'Customer erased',
  domain_set: 'Custom domain set',
  domain_removed: 'Custom domain removed',
  webhook_created: 'Webhook created',
  webhook_changed: 'Webhook changed',
  webhook_secret_rotated: 'Secret of a webhook rotated',
  webhook_deleted: 'Webhook deleted',
  shop_connected: 'Shop connected',
  shop_changed: 'Shop changed',
  shop_secret_rotated: 'Secret of a shop rotated',
  shop_deleted: 'Shop deleted',
  reseller_rate_changed: 'Commission of a reseller changed',
  reseller_paused: 'Reseller paused',
  reseller_resumed: 'Reseller resumed',
  reseller_ended: 'Partnership ended',
  reseller_merged: 'Reseller merged into another',
};

/** How somebody shows who they are before they are signed in. */
const proofs: Partial<Record<AuditAction, string>> = {
  signed_in: 'Password',
  terminal_signed_in: 'Code confirmed in the browser',
  password_reset: 'Emailed link',
  trust_used: 'Identity token',
};

/** The credential by which the person or the program could do it. */
export function withWhat({ action, via, token_name, ip }: Pick<AuditEntry, 'action' | 'via' | 'token_name' | 'ip'>) {
  if (via === 'access_token') return token_name ? `Access token ${token_name}` : 'Access token';
  if (via === 'session') return 'Session';
  // an act without an address was the server's own, such as the end of a plan
  return proofs[action] ?? (ip === null ? 'Automatic' : 'Somebody else’s sign-in');
}
