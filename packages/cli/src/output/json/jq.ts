import { Failure, UsageError } from '#exit.ts';
import { type PartPlan, planOf } from './jq-parts.ts';
import { plainLines, plainOf } from './plain-jq.ts';
import { WholeList } from './whole-list.ts';

const COMPILE_ERROR = 3;

/** So many characters, of what a program keeps from one part of a list to the next. */
const MOST_KEPT = 64_000_000;

/**
 * Checks the jq program before anything is done whose result could not be shown.
 * @throws {UsageError} with jq's own message.
 */
export async function mustCompile(program: string): Promise<void> {
  if (plainOf(program)) return;
  const { exitCode, stderr } = await run(null, program);
  if (exitCode === COMPILE_ERROR) throw new UsageError(`--jq is not a valid jq program: ${wordsOf(stderr)}`);
}

/** Comes after the last result, because space at the end of the output is lost. */
const END = '\u001e';

/** Runs a jq program on a value: one result per line, strings without quotes. */
export async function filtered(value: unknown, program: string): Promise<string> {
  const { stdout, stderr, exitCode } = await run(value, `(${program}\n), "${END}"`);
  if (exitCode !== 0) throw new Failure(`--jq failed: ${wordsOf(stderr)}`);
  if (stdout.endsWith(END)) return stdout.slice(0, -END.length);
  // a program that halts ends before that
  return stdout === '' ? '' : `${stdout}\n`;
}

/** Runs a program on a list that comes in parts. What it returns is to be printed. */
export interface ListProgram {
  part(rows: unknown[]): Promise<string>;
  end(): Promise<string>;
}

/** Whether a program can only be run on a whole list. */
export const needsWholeList = (program: string): boolean => planOf(program) === undefined;

/** @throws {UsageError} from its parts, when the program needs all rows at once and they are too many. */
export function listProgram(program: string): ListProgram {
  const plain = plainOf(program);
  if (plain?.kind === 'length') return counting();
  if (plain) return plainly(program, plain.names);
  const plan = planOf(program);
  return plan ? inParts(plan) : atOnce(program);
}

function counting(): ListProgram {
  let rows = 0;
  return {
    async part(more) {
      rows += more.length;
      return '';
    },
    end: async () => `${rows}\n`,
  };
}

function plainly(program: string, names: readonly string[]): ListProgram {
  return { part: async (rows) => plainLines(rows, names) ?? filtered(rows, program), end: async () => '' };
}

function atOnce(program: string): ListProgram {
  const whole = new WholeList('--jq');
  return {
    async part(rows) {
      whole.add(rows);
      return '';
    },
    end: () => filtered(whole.rows, program),
  };
}

function inParts(plan: PartPlan): ListProgram {
  if (plan.kind === 'each') return { part: (rows) => filtered(rows, plan.program), end: async () => '' };
  if (plan.kind === 'array') return oneArray(plan.program);
  return plan.kind === 'fold' ? folding(plan) : reducing(plan);
}

/** The arrays of the parts as one, in the shape in which jq prints an array. */
function oneArray(program: string): ListProgram {
  let begun = false;
  return {
    async part(rows) {
      const text = (await filtered(rows, program)).trimEnd();
      if (text === '[]') return '';
      const inside = text.slice('[\n'.length, -'\n]'.length);
      const printed = `${begun ? ',\n' : '[\n'}${inside}`;
      begun = true;
      return printed;
    },
    end: async () => (begun ? '\n]\n' : '[]\n'),
  };
}

function folding({ program, fold, empty }: Extract<PartPlan, { kind: 'fold' }>): ListProgram {
  let state: unknown = empty;
  return {
    async part(rows) {
      const value = JSON.parse(await asJson(rows, program));
      state = kept(await asJson([state, value], fold));
      return '';
    },
    end: () => filtered(state, '.'),
  };
}

function reducing({ first, step, end }: Extract<PartPlan, { kind: 'reduce' }>): ListProgram {
  let state: { is: unknown } | undefined;
  const begun = async () => {
    state ??= { is: JSON.parse(await asJson(null, first)) };
    return state.is;
  };
  return {
    async part(rows) {
      state = { is: kept(await asJson({ state: await begun(), rows }, step)) };
      return '';
    },
    end: async () => filtered(await begun(), end),
  };
}

function kept(json: string): unknown {
  if (json.length > MOST_KEPT)
    throw new Failure('--jq keeps more of the list than fits. Use --json, and jq on a file.');
  return JSON.parse(json);
}

async function asJson(value: unknown, program: string): Promise<string> {
  const { stdout, stderr, exitCode } = await run(value, program, '--compact-output');
  if (exitCode !== 0) throw new Failure(`--jq failed: ${wordsOf(stderr)}`);
  return stdout;
}

async function run(value: unknown, program: string, form = '--raw-output') {
  // loaded only now, because it is large
  const { raw } = await import('jq-wasm');
  // a string would be taken for the JSON itself
  return raw(JSON.stringify(value), program, [form]);
}

function wordsOf(stderr: string): string {
  return (
    stderr
      .trim()
      .replace(/^jq: (error( \(at [^)]*\))?: )?/, '')
      .split('\n')[0]
      ?.replace(/:$/, '') ?? ''
  );
}
