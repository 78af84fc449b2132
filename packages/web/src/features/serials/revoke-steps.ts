import { api } from '../../lib/api.ts';
import type { RefundStep } from './use-refund.ts';

interface Serial {
  id: string;
  code: string;
}

export const revokeStep = ({ id, code }: Serial): RefundStep => ({
  done: `Revoked ${code}`,
  run: () => api.revokeSerial({ path: { id } }),
  revoked: true,
});

export const reassignStep = ({ id, code }: Serial): RefundStep => ({
  done: `Reassigned ${code}`,
  run: () => api.reassignSerial({ path: { id } }),
  revoked: false,
});
