import { findSerialId } from '#input/find-by-name.ts';
import type { Context } from '#run/context.ts';

export function change(
  context: Context,
  serials: string[],
  action: 'revoke' | 'reassign' | 'delete',
  dry_run: boolean,
) {
  return context.api().then(async (api) => {
    const ids: string[] = [];
    for (const text of serials) ids.push(await findSerialId(api, text, context.io.signal));
    return api.changeSerials({ body: { action, ids, dry_run } }, context.call);
  });
}

export async function tryOut(
  context: Context,
  serials: string[],
  action: 'revoke' | 'reassign' | 'delete',
): Promise<void> {
  const done = await change(context, serials, action, true);
  const skipped = done.skipped > 0 ? `, ${done.skipped} would stay as they are` : '';
  await context.print(done, `${done.count} would be changed${skipped}.\n`);
}
