import { q } from '#lib/queries/operation.ts';

export const twoFactorQuery = q('getTwoFactor');

export interface DialogState {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}
