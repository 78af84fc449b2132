import { queryOptions } from '@tanstack/react-query';
import { TonerowError } from '@tonerow/sdk';
import { api } from '#lib/api.ts';
import { keys } from '#lib/queries/keys.ts';

export const twoFactorQuery = queryOptions({
  queryKey: keys.twoFactor,
  queryFn: ({ signal }) => api.getTwoFactor(undefined, { signal }),
});

export interface DialogState {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The server's message for one field of a dialog, if it has one. */
export function fieldMessage(error: unknown, field: string): string | undefined {
  if (!(error instanceof TonerowError)) return undefined;
  return error.errors.find(({ path }) => path.endsWith(field))?.message;
}
