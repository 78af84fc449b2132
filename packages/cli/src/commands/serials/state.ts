import type { Serial } from '@tonerow/sdk';

export function stateOf(serial: Pick<Serial, 'revoked' | 'redeemed_at'>): string {
  if (serial.revoked) return 'revoked';
  return serial.redeemed_at ? 'redeemed' : 'available';
}
