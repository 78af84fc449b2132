import { findSerialId } from '#input/find-by-name.ts';
import { during } from '#output/progress.ts';
import type { Context } from '#run/context.ts';

export function change(
  context: Context,
  serials: string[],
  action: 'revoke' | 'reassign' | 'delete',
  dry_run: boolean,
) {
  return context.api().then(async (api) => {
    const ids = await during(
      context,
      'Finding',
      async (progress) => {
        const found: string[] = [];
        for (const text of serials) {
          found.push(await findSerialId(api, text, context.io.signal));
          progress.update(found.length);
        }
        return found;
      },
      { total: serials.length },
    );
    return during(context, dry_run ? 'Counting' : 'Changing', () =>
      api.changeSerials({ body: { action, ids, dry_run } }, context.call),
    );
  });
}

export async function tryOut(
  context: Context,
  serials: string[],
  action: 'revoke' | 'reassign' | 'delete',
): Promise<void> {
  const done = await change(context, serials, action, true);
  await context.print(done, `${done.count} would be changed${staying(done)}.\n`);
}

/** The serials that a change leaves as they are, for a question and a dry run. */
export const staying = ({ skipped }: { skipped: number }): string =>
  skipped > 0 ? `, ${skipped} would stay as they are` : '';
