import type { Serial } from '@tonerow/sdk';

export function stateOf(serial: Pick<Serial, 'revoked' | 'redeemed_at' | 'handed_out_at'>): string {
  if (serial.revoked) return 'revoked';
  if (serial.redeemed_at) return 'redeemed';
  return serial.handed_out_at ? 'handed out' : 'available';
}
