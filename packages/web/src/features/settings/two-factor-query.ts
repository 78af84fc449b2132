import { TonerowError } from '@tonerow/sdk';
import { q } from '#lib/queries/operation.ts';

export const twoFactorQuery = q('getTwoFactor');

export interface DialogState {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The server's message for one field of a dialog, if it has one. */
export function fieldMessage(error: unknown, field: string): string | undefined {
  if (!(error instanceof TonerowError)) return undefined;
  return error.errors.find(({ path }) => path.endsWith(field))?.message;
}
