import { api } from '#lib/api.ts';
import { formatMoney } from '#lib/format/format.ts';
import type { Refundable } from './refundable.ts';
import type { RefundStep } from './use-refund.ts';

type Serial = Pick<Refundable, 'id' | 'code'>;

const revoking = ({ id, code }: Serial): RefundStep => ({
  done: `Revoked ${code}`,
  run: () => api.revokeSerial({ path: { id } }),
});
const reassigning = ({ id, code }: Serial): RefundStep => ({
  done: `Reassigned ${code}`,
  run: () => api.reassignSerial({ path: { id } }),
});

export const revokeStep = (serial: Serial): RefundStep => ({ ...revoking(serial), back: reassigning(serial) });
export const reassignStep = (serial: Serial): RefundStep => ({ ...reassigning(serial), back: revoking(serial) });

/** Taking refunds back takes all of them, so Undo is for the first one only. */
export function refundStep(serial: Refundable, body: { amount: number; reason: string; revoke: boolean }): RefundStep {
  const { id, code, refunded, revoked } = serial;
  const words = `${formatMoney(body.amount)}${body.revoke ? ` and revoked ${code}` : ''}`;
  const reassign = body.revoke && !revoked;
  return {
    done: `Refunded ${words}`,
    run: () => api.refundSerial({ path: { id }, body }),
    back:
      refunded > 0
        ? undefined
        : {
            done: `Took back ${formatMoney(body.amount)}${reassign ? ` and reassigned ${code}` : ''}`,
            run: () => api.reinstateSerial({ path: { id }, body: { reason: 'Undone: recorded by mistake', reassign } }),
          },
  };
}
