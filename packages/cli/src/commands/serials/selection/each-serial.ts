import type { Serial } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { Failure, PartialError } from '#exit.ts';
import { findSerialId } from '#input/find-by-name.ts';
import type { Context } from '#run/context.ts';

/** Applies a change to several serials: each one is tried, and failures are reported. */
export async function each(
  context: Context,
  serials: string[],
  done: string,
  run: (api: OperationClient, id: string) => Promise<Serial>,
): Promise<void> {
  const api = await context.api();
  const changed: Serial[] = [];
  const failures: PartialError['failures'][number][] = [];
  for (const text of serials) {
    try {
      const serial = await run(api, await findSerialId(api, text, context.io.signal));
      changed.push(serial);
      context.note(`${done} ${serial.code}`);
    } catch (error) {
      context.io.signal.throwIfAborted();
      if (serials.length === 1 || !isAboutOne(error)) {
        if (changed.length > 0) await context.print(changed, '');
        throw error;
      }
      const { code = 'failure', message } = error as Error & { code?: string };
      failures.push({ item: text, code, message });
      // for scripts they are in the error that follows
      if (!context.globals.json) context.warn('item_failed', `${text}: ${message}`);
    }
  }
  await context.print(changed, '');
  if (failures.length > 0) throw new PartialError(`${failures.length} of ${serials.length} failed.`, failures);
}

/** Whether the next serial may succeed: not without a server, a credential that may do it, or while the server wants less. */
export function isAboutOne(error: unknown): boolean {
  if (error instanceof Failure) return true;
  const { status, code } = error as { status?: number; code?: string };
  return status !== undefined && ![401, 429].includes(status) && code !== 'insufficient_scope' && status < 500;
}
