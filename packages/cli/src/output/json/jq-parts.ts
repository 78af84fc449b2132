/** How a jq program for a list is run on the list part by part, with the memory of one part. */
export type PartPlan =
  /** The outputs of the parts follow each other. */
  | { kind: 'each'; program: string }
  /** Each part makes an array; together they are one. */
  | { kind: 'array'; program: string }
  /** Each part makes a number or null; `fold` adds the next one to what there is, as an array of the two. */
  | { kind: 'fold'; program: string; fold: string; empty: unknown }
  /** `step` takes `{ state, rows }`; `end` is run on the last state. */
  | { kind: 'reduce'; first: string; step: string; end: string };

/** A step into each element, without a look at anything else: `.[]`, `.[].customer.email`, `.[]["id"]?`. */
const EACH = /^\.\[\](\?|\.[A-Za-z_]\w*|\.?"[^"\\]*"|\[(\d*|"[^"\\]*"|-?\d*:-?\d*)\])*$/;
const REDUCE = /^reduce\s+\.\[\]\s+as\s+(\$\w+|\[[^()]*\]|\{[^()]*\})\s*(?=\()/;
/** These end the whole run, or read what comes after the list. */
const WHOLE = /\b(halt|halt_error|input|inputs|input_line_number)\b/;

/**
 * How to run a program part by part; undefined where it needs the whole list, such as `sort_by(.name)`.
 * It matters only where each result comes from, not what the program does with an element or an array of results.
 */
export function planOf(program: string): PartPlan | undefined {
  const steps = split(program, '|')?.map((step) => step.trim());
  if (!steps || WHOLE.test(program)) return undefined;
  const reduced = reducing(steps);
  if (reduced) return reduced;
  for (const [at, step] of steps.entries()) {
    const last = at === steps.length - 1;
    if (EACH.test(step)) return { kind: 'each', program };
    if (last && step === 'length') return { kind: 'fold', program, fold: 'add', empty: 0 };
    if (last && step === 'add') return { kind: 'fold', program, fold: 'add', empty: null };
    if (!keepsOrder(step)) return undefined;
  }
  return { kind: 'array', program };
}

/** Whether a step makes a value of each element of an array, and an array of these. */
function keepsOrder(step: string): boolean {
  if (step === '.') return true;
  if (/^map\s*\(/.test(step)) return isClosedAtEnd(step, step.indexOf('('));
  if (!step.startsWith('[') || !isClosedAtEnd(step, 0)) return false;
  const [first] = split(step.slice(1, -1), '|') ?? [];
  return first !== undefined && EACH.test(first.trim());
}

function reducing([step = '', ...rest]: string[]): PartPlan | undefined {
  const head = REDUCE.exec(step);
  if (!head || !isClosedAtEnd(step, head[0].length)) return undefined;
  const [first, update, more] = split(step.slice(head[0].length + 1, -1), ';') ?? [];
  // the first state may not look at the list, which is not there yet
  if (first === undefined || update === undefined || more !== undefined || looksAtInput(first)) return undefined;
  return {
    kind: 'reduce',
    first,
    step: `reduce .rows[] as ${head[1]} (.state; ${update})`,
    end: rest.length > 0 ? rest.join(' | ') : '.',
  };
}

function looksAtInput(program: string): boolean {
  return !/^\s*(-?\d+(\.\d+)?|null|true|false|"[^"\\]*"|\[\s*\]|\{\s*\}|\{[\w\s:,]*\})\s*$/.test(program);
}

function isClosedAtEnd(text: string, open: number): boolean {
  const marks = marksOf(text);
  const mark = marks?.find(({ at }) => at === open);
  const close = marks?.find(({ at, depth }) => at > open && depth === mark?.depth);
  return mark !== undefined && close?.at === text.length - 1;
}

/** The parts of a program between separators that are in no bracket and no string; undefined when something is not closed. */
function split(program: string, separator: '|' | ';'): string[] | undefined {
  const marks = marksOf(program);
  if (!marks) return undefined;
  const ends = marks.filter(({ mark, depth }) => mark === separator && depth === 0).map(({ at }) => at);
  return [...ends, program.length].map((end, at) => program.slice(at === 0 ? 0 : (ends[at - 1] as number) + 1, end));
}

interface Mark {
  mark: string;
  at: number;
  /** How many brackets are around it; an opening one and its closing one have the same. */
  depth: number;
}

const CLOSES: Record<string, string> = { '(': ')', '[': ']', '{': '}', if: 'end' };
const TOKEN = /#[^\n]*|"|\|=|\?\/\/|[.$@]?[A-Za-z_]\w*|[()[\]{}|;]|[\s\S]/y;

/** Brackets, separators and definitions. Undefined for what is not closed, or defines a name for all that follows. */
function marksOf(program: string): Mark[] | undefined {
  const marks: Mark[] = [];
  const open: string[] = [];
  let at = 0;
  while (at < program.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(program)?.[0] as string;
    if (token === '"') {
      const end = stringEnd(program, at);
      if (end === undefined) return undefined;
      at = end;
      continue;
    }
    if (token === 'def' && open.length === 0 && marks.every(({ mark }) => mark !== '|')) return undefined;
    const closing = CLOSES[token];
    if (closing) {
      marks.push({ mark: token, at, depth: open.length });
      open.push(closing);
    } else if (token === ')' || token === ']' || token === '}' || token === 'end') {
      if (open.pop() !== token) return undefined;
      marks.push({ mark: token, at, depth: open.length });
    } else if (token === '|' || token === ';') marks.push({ mark: token, at, depth: open.length });
    at += token.length;
  }
  return open.length === 0 ? marks : undefined;
}

/** The end of a string, whose `\(…)` may hold strings of their own. */
function stringEnd(program: string, start: number): number | undefined {
  for (let at = start + 1; at < program.length; at += 1) {
    if (program[at] === '"') return at + 1;
    if (program[at] !== '\\') continue;
    at += 1;
    if (program[at] !== '(') continue;
    let depth = 1;
    while (depth > 0) {
      at += 1;
      const mark = program[at];
      if (mark === undefined) return undefined;
      if (mark === '(') depth += 1;
      else if (mark === ')') depth -= 1;
      else if (mark === '"') {
        const end = stringEnd(program, at);
        if (end === undefined) return undefined;
        at = end - 1;
      }
    }
  }
  return undefined;
}
