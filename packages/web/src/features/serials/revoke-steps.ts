import { api } from '../../lib/api.ts';
import type { RefundStep } from './use-refund.ts';

interface Serial {
  id: string;
  code: string;
}

const revoking = ({ id, code }: Serial): RefundStep => ({
  done: `Revoked ${code}`,
  run: () => api.revokeSerial({ path: { id } }),
});

const reassigning = ({ id, code }: Serial): RefundStep => ({
  done: `Reassigned ${code}`,
  run: () => api.reassignSerial({ path: { id } }),
});

/** Without any money, revoking and reassigning undo each other. */
export const revokeStep = (serial: Serial): RefundStep => ({ ...revoking(serial), undo: reassigning(serial) });
export const reassignStep = (serial: Serial): RefundStep => ({ ...reassigning(serial), undo: revoking(serial) });
