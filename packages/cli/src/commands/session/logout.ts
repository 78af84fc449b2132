import { saveProfile } from '#config/store.ts';
import { defineCommand } from '#define/define-command.ts';
import { Failure } from '#exit.ts';
import type { Context } from '#run/context.ts';
import { endSession, isAccessToken } from './end-session.ts';

/** TONEROW_TOKEN is the credential in use, so the stored sign-in is not touched. */
async function endGivenSession(context: Context, token: string): Promise<void> {
  const unset = 'Unset TONEROW_TOKEN to use or end the stored session.';
  if (isAccessToken(token))
    throw new Failure(
      `TONEROW_TOKEN holds an access token, which has no session to end. "tonerow tokens delete" deletes it. ${unset}`,
    );
  await endSession(context, token);
  context.note(`The session of TONEROW_TOKEN has ended. ${unset}`);
}

export const logout = defineCommand({
  path: 'logout',
  summary: 'End the session and remove the credential',
  operations: ['logout'],
  examples: ['tonerow logout', 'tonerow logout --profile work'],
  async run({ context }) {
    const given = context.io.env.TONEROW_TOKEN;
    if (given) return endGivenSession(context, given);
    const stored = await context.stored();
    if (!stored) return context.note('You were not signed in.');
    // an access token has no session: only the stored copy is deleted
    if (!isAccessToken(stored.token)) await endSession(context, stored.token);
    await saveProfile(context.io.env, context.profileName, null);
    context.note('Signed out.');
  },
});
