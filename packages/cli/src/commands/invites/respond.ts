import type { Context } from '#run/context.ts';

export async function respond(context: Context, invite_id: string, response: 'accept' | 'reject'): Promise<void> {
  const answer = await (await context.api()).respondToInvite({ body: { invite_id, response } }, context.call);
  await context.print(answer, `${answer.message}\n`);
}
