import { styleText } from 'node:util';
import { isCi } from '#input/is-ci.ts';
import type { Context } from '#run/context.ts';
import { hasColors } from './color.ts';

export interface Progress {
  /** @param done of its unit; undefined: not known yet. @param bytes that came or went, where something else is counted. */
  update(done: number | undefined, bytes?: number): void;
  /** Names the work from now on. */
  label(text: string): void;
  stop(): Promise<void>;
}

interface Extent {
  /** 0: nobody knows. */
  total?: number;
  unit: 'rows' | 'bytes';
}

const DRAWN_EVERY = 100;
const PRINTED_EVERY = 10_000;
const CELLS = 12;
const CLEAR = '\r\u001b[2K';

/**
 * Shows how far something is that may take over a second: a line that is drawn anew on a terminal, a line every ten seconds elsewhere,
 * for scripts as JSON, and nothing with --quiet.
 */
export async function startProgress(context: Context, label: string, { total = 0, unit }: Extent): Promise<Progress> {
  const { io, globals } = context;
  if (globals.quiet) return { update: () => undefined, label: () => undefined, stop: async () => undefined };
  const state: State = { label, done: undefined, bytes: undefined };
  const drawn = io.stderr.isTTY === true && !isCi(io.env) && !globals.json;
  const colors = hasColors(io.env, io.stderr, globals.color);
  const draw = () => {
    const cells = total === 0 ? '' : `${bar((state.done ?? 0) / total)} `;
    const words = [state.label, countsOf(state, total, unit)].join('  ');
    // 0: a terminal that does not know its size
    const room = Math.max(0, (io.stderr.columns || 80) - cells.length - 1);
    const styled = colors && cells !== '' ? styleText('magenta', cells, { validateStream: false }) : cells;
    io.stderr.write(`${CLEAR}${styled}${words.slice(0, room)}`);
  };
  const print = () => {
    const counts = countsOf(state, total, unit);
    const message = counts === '' ? `${state.label} …` : `${state.label}: ${counts}`;
    io.stderr.write(globals.json ? `${JSON.stringify({ code: 'progress', message })}\n` : `${message}\n`);
  };
  if (drawn) draw();
  const further = setInterval(
    () => (drawn ? draw() : print()),
    drawn ? DRAWN_EVERY : (io.slowSeconds ?? PRINTED_EVERY / 1000) * 1000,
  );
  context.showing += 1;
  let stopped = false;
  return {
    update(done, bytes) {
      state.done = done ?? state.done;
      state.bytes = bytes ?? state.bytes;
    },
    label(text) {
      Object.assign(state, { label: text, done: undefined, bytes: undefined });
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      context.showing -= 1;
      clearInterval(further);
      if (drawn) io.stderr.write(CLEAR);
    },
  };
}

/** The same around something that the server does in one go, or that is done one by one. */
export async function during<Result>(
  context: Context,
  label: string,
  work: (progress: Progress) => Promise<Result>,
  extent: Partial<Extent> = {},
): Promise<Result> {
  const progress = await startProgress(context, label, { unit: 'rows', ...extent });
  try {
    return await work(progress);
  } finally {
    await progress.stop();
  }
}

interface State {
  label: string;
  done: number | undefined;
  bytes: number | undefined;
}

function bar(part: number): string {
  const filled = Math.floor(Math.min(1, part) * CELLS);
  return `${'■'.repeat(filled)}${'□'.repeat(CELLS - filled)}`;
}

function countsOf({ done, bytes }: State, total: number, unit: Extent['unit']): string {
  const each = (value: number) => (unit === 'bytes' ? sizeOf(value) : value.toLocaleString('en'));
  const of = total > 0 ? ` of ${each(total)}` : '';
  const counted = done === undefined ? [] : [`${each(total > 0 ? Math.min(done, total) : done)}${of}`];
  const named = unit === 'bytes' ? counted : counted.map((text) => `${text} rows`);
  return [...named, ...(bytes === undefined ? [] : [sizeOf(bytes)])].join(', ');
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'];

/** `1.2 MB` */
export function sizeOf(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
