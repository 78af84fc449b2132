import type { Context } from '#run/context.ts';
import { hasColors } from './color.ts';

export interface Progress {
  update(done: number): void;
  stop(): Promise<void>;
}

const EVERY = 2000;

/** Drawn on a terminal, a plain line now and then elsewhere, nothing with --quiet. */
export async function startProgress(
  context: Context,
  label: string,
  total: number,
  silent = context.silent,
): Promise<Progress> {
  const { io, globals } = context;
  if (silent) return { update: () => undefined, stop: async () => undefined };
  if (io.stderr.isTTY && !io.env.CI) {
    const live: string = './live.mjs';
    const { showProgress } = (await import(live)) as typeof import('#ui/live.tsx');
    return showProgress(
      io.stderr as unknown as NodeJS.WriteStream,
      label,
      total,
      hasColors(io.env, io.stderr, globals.color),
    );
  }
  let said = Date.now();
  io.stderr.write(`${label} …\n`);
  return {
    update(done) {
      if (Date.now() - said < EVERY) return;
      said = Date.now();
      io.stderr.write(`${label}: ${done} of ${total}\n`);
    },
    stop: async () => undefined,
  };
}
