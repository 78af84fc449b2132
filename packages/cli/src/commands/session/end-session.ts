import type { Context } from '#run/context.ts';

export const isAccessToken = (token: string): boolean => token.trim().startsWith('tnr_pat_');

export async function endSession(context: Context, token: string): Promise<void> {
  await (await context.client(token)).logout({}, context.call).catch((error: { status?: number }) => {
    // the session has already ended
    if (error.status !== 401) throw error;
  });
}
