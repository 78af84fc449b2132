import { readDevice, saveDevice, saveProfile } from '#config/store.ts';
import type { Context } from '#run/context.ts';
import { endSession, isAccessToken } from './end-session.ts';

/** Stores a credential. A session that cannot be stored is ended: nobody would have it. */
export async function keep(context: Context, token: string, email: string): Promise<void> {
  const profile = { url: await context.url(), token, email };
  const file = await saveProfile(context.io.env, context.profileName, profile).catch(async (error) => {
    // why it cannot be stored is what matters
    if (!isAccessToken(token)) await endSession(context, token).catch(() => undefined);
    throw error;
  });
  context.note(`Signed in as ${email}. The credential is stored in ${file}, readable by you only.`);
  if (context.io.env.TONEROW_TOKEN)
    context.warn('token_in_use', 'TONEROW_TOKEN is set and takes precedence over this sign-in.');
}

/** Signs in, and asks for the second factor when the account has one. */
export async function signIn(context: Context, form: { email: string; password: string; code?: string | undefined }) {
  const api = await context.client();
  const url = await context.url();
  const body = { ...form, ...(await readDevice(context.io.env, url)) };
  const answer = await api.login({ body }, context.call).catch(async (error: { code?: string }) => {
    if (error.code !== 'two_factor_required') throw error;
    const question = { text: 'Code from your authenticator app: ', instead: '--code' };
    const code = await context.ask(question);
    return api.login({ body: { ...body, code } }, context.call);
  });
  await saveDevice(context.io.env, url, answer.device_token);
  return answer;
}
