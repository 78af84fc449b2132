import { UsageError } from '#exit.ts';

/** A template such as `{{range .}}{{.code}}{{"\n"}}{{end}}`, in the words of Go's templates as gh has them. */
export interface Template {
  /** Renders a value. */
  render(value: unknown): string;
  /** The parts of a template that is one `{{range .}}` over a list; undefined for any other. */
  rows: { before: string; row(value: unknown): string; after: string } | undefined;
}

/** @throws {UsageError} that shows what is wrong with it. */
export function compileTemplate(text: string): Template {
  const nodes = new Parser(text).nodes();
  const inRoot = (parts: Node[], value: unknown) => rendered(parts, { root: value, dot: value });
  const loops = nodes.filter((node) => node.kind !== 'text');
  const [loop] = loops;
  const isList = loops.length === 1 && loop?.kind === 'range' && isDot(loop.of) && loop.otherwise.length === 0;
  const at = loop ? nodes.indexOf(loop) : 0;
  return {
    render: (value) => inRoot(nodes, value),
    rows:
      isList && !usesRoot(loop.body)
        ? {
            before: inRoot(nodes.slice(0, at), null),
            row: (value) => rendered(loop.body, { root: null, dot: value }),
            after: inRoot(nodes.slice(at + 1), null),
          }
        : undefined,
  };
}

interface Scope {
  root: unknown;
  dot: unknown;
}

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; of: Expression }
  | { kind: 'range'; of: Expression; body: Node[]; otherwise: Node[] }
  | { kind: 'if'; of: Expression; body: Node[]; otherwise: Node[] };

type Expression =
  | { kind: 'constant'; value: unknown }
  | { kind: 'path'; from: 'dot' | 'root'; names: string[] }
  | { kind: 'call'; name: string; args: Expression[] };

const isDot = (of: Expression): boolean => of.kind === 'path' && of.from === 'dot' && of.names.length === 0;

function usesRoot(nodes: Node[]): boolean {
  const inExpression = (of: Expression): boolean =>
    of.kind === 'path' ? of.from === 'root' : of.kind === 'call' && of.args.some(inExpression);
  return nodes.some((node) => {
    if (node.kind === 'text') return false;
    return inExpression(node.of) || (node.kind !== 'value' && (usesRoot(node.body) || usesRoot(node.otherwise)));
  });
}

function rendered(nodes: Node[], scope: Scope): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      const value = evaluated(node.of, scope);
      if (node.kind === 'value') return textOf(value);
      if (node.kind === 'if') return rendered(isTrue(value) ? node.body : node.otherwise, scope);
      const items = Array.isArray(value) ? value : value && typeof value === 'object' ? Object.values(value) : [];
      if (items.length === 0) return rendered(node.otherwise, scope);
      return items.map((dot) => rendered(node.body, { ...scope, dot })).join('');
    })
    .join('');
}

function evaluated(of: Expression, scope: Scope): unknown {
  if (of.kind === 'constant') return of.value;
  if (of.kind === 'path') return of.names.reduce(memberOf, scope[of.from]);
  const call = functions[of.name] as (...args: unknown[]) => unknown;
  return call(...of.args.map((each) => evaluated(each, scope)));
}

function memberOf(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : textOf(a).localeCompare(textOf(b));

const functions: Record<string, (...args: never[]) => unknown> = {
  and: (...all: unknown[]) => all.find((each) => !isTrue(each)) ?? all.at(-1),
  or: (...all: unknown[]) => all.find(isTrue) ?? all.at(-1),
  not: (value: unknown) => !isTrue(value),
  eq: (a: unknown, ...others: unknown[]) => others.includes(a),
  ne: (a: unknown, b: unknown) => a !== b,
  lt: (a: unknown, b: unknown) => compare(a, b) < 0,
  le: (a: unknown, b: unknown) => compare(a, b) <= 0,
  gt: (a: unknown, b: unknown) => compare(a, b) > 0,
  ge: (a: unknown, b: unknown) => compare(a, b) >= 0,
  len: (value: unknown) =>
    typeof value === 'string' ? [...value].length : Object.keys((value as object | null) ?? {}).length,
  index: (value: unknown, key: unknown) => (Array.isArray(value) ? value[Number(key)] : memberOf(value, String(key))),
  json: (value: unknown) => JSON.stringify(value ?? null),
  join: (separator: unknown, list: unknown) => listOf(list).map(textOf).join(textOf(separator)),
  pluck: (name: unknown, list: unknown) => listOf(list).map((each) => memberOf(each, textOf(name))),
  truncate: (length: unknown, text: unknown) => {
    const letters = [...textOf(text)];
    return letters.length > Number(length)
      ? `${letters.slice(0, Math.max(0, Number(length) - 1)).join('')}…`
      : textOf(text);
  },
  printf: (format: unknown, ...values: unknown[]) => {
    let at = 0;
    return textOf(format).replace(
      VERB,
      (whole, flags: string, width: string, digits: string | undefined, verb: string) => {
        if (verb === '%') return '%';
        const print = verbs[verb];
        if (!print) throw new UsageError(`printf takes %${Object.keys(verbs).join(', %')}, not ${whole}.`);
        const text = print(values[at], digits === undefined ? undefined : Number(digits));
        at += 1;
        if (flags.includes('-')) return text.padEnd(Number(width));
        const isNumber = /^-?[\d.]+$/.test(text);
        const signed = flags.includes('+') && isNumber && !text.startsWith('-') ? `+${text}` : text;
        if (!flags.includes('0') || !isNumber) return signed.padStart(Number(width));
        const sign = /^[-+]/.exec(signed)?.[0] ?? '';
        return sign + signed.slice(sign.length).padStart(Number(width) - sign.length, '0');
      },
    );
  },
};

const VERB = /%([-+0]*)(\d*)(?:\.(\d*))?(.?)/gsu;

const textWithin = (value: unknown, most: number | undefined) => [...textOf(value)].slice(0, most).join('');

/** Formats a value as printf does in Go, with the digits after the decimal point or the most characters. */
const verbs: Record<string, (value: unknown, digits: number | undefined) => string> = {
  s: textWithin,
  v: textWithin,
  d: (value) => textOf(value),
  f: (value, digits = 6) => (typeof value === 'number' ? value.toFixed(Math.min(digits, 100)) : textOf(value)),
  q: (value) => JSON.stringify(textOf(value)),
  t: (value) => textOf(value),
};

const ACTION = /\{\{(- )?((?:"(?:[^"\\]|\\.)*"|`[^`]*`|(?!\}\})[^"`])*?)( -)?\}\}/y;
const WORD =
  /\s*(?:("(?:[^"\\]|\\.)*")|`([^`]*)`|(-?\d+(?:\.\d+)?)|(\$?(?:\.[A-Za-z_]\w*)+|\$|\.)|([A-Za-z_]\w*)|([()|]))/y;

/** Reads a template once, from its beginning to its end. */
class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  nodes(): Node[] {
    const { nodes, end } = this.#until();
    if (end) throw wrong(`{{${end.join(' ')}}} ends nothing`);
    return nodes;
  }

  /** The nodes up to an `else` or `end`, or to the end of the template. */
  #until(): { nodes: Node[]; end: string[] | undefined } {
    const nodes: Node[] = [];
    for (;;) {
      const open = this.#text.indexOf('{{', this.#at);
      const text = this.#text.slice(this.#at, open === -1 ? undefined : open);
      if (open === -1) {
        this.#at = this.#text.length;
        return { nodes: [...nodes, ...textNode(text)], end: undefined };
      }
      ACTION.lastIndex = open;
      const action = ACTION.exec(this.#text);
      if (!action) throw wrong(`${this.#text.slice(open, open + 20)} is not closed`);
      const [whole, before, body = '', after] = action;
      nodes.push(...textNode(before ? text.trimEnd() : text));
      this.#at = open + whole.length;
      if (after) this.#at += (/^\s*/.exec(this.#text.slice(this.#at)) as RegExpExecArray)[0].length;
      const trimmed = body.trim();
      if (trimmed.startsWith('/*')) continue;
      const [word = ''] = trimmed.split(/\s+/);
      if (word === 'else' || word === 'end') return { nodes, end: trimmed.split(/\s+/) };
      if (word === 'range' || word === 'if') nodes.push(this.#block(word, trimmed.slice(word.length)));
      else nodes.push({ kind: 'value', of: expressionIn(trimmed) });
    }
  }

  #block(kind: 'range' | 'if', condition: string): Node {
    const of = expressionIn(condition);
    const { nodes: body, end } = this.#until();
    if (!end) throw wrong(`{{${kind}}} has no {{end}}`);
    if (end[0] === 'end') return { kind, of, body, otherwise: [] };
    if (end[1] === 'if') return { kind, of, body, otherwise: [this.#block('if', end.slice(2).join(' '))] };
    const { nodes: otherwise, end: last } = this.#until();
    if (last?.[0] !== 'end') throw wrong(`{{${kind}}} has no {{end}}`);
    return { kind, of, body, otherwise };
  }
}

const textNode = (text: string): Node[] => (text === '' ? [] : [{ kind: 'text', text }]);

function wrong(what: string): UsageError {
  return new UsageError(`--template is not valid: ${what}.`);
}

/** A pipeline: what a part makes is the last argument of the next one. */
function expressionIn(text: string): Expression {
  const words = wordsIn(text);
  const whole = pipeline(words);
  if (words.length > 0) throw wrong(`${text.trim()} goes on after its end`);
  return whole;
}

type Word = { term: Expression } | { name: string } | { mark: string };

function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    WORD.lastIndex = at;
    const found = WORD.exec(text);
    if (!found) throw wrong(`${text.slice(at).trim()} is not understood`);
    at = WORD.lastIndex;
    const [, quoted, raw, number, path, name, mark] = found;
    if (quoted !== undefined) words.push({ term: { kind: 'constant', value: unquoted(quoted) } });
    else if (raw !== undefined) words.push({ term: { kind: 'constant', value: raw } });
    else if (number !== undefined) words.push({ term: { kind: 'constant', value: Number(number) } });
    else if (path !== undefined) words.push({ term: pathOf(path) });
    else if (name !== undefined) words.push(wordOf(name));
    else words.push({ mark: mark as string });
  }
  return words;
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw wrong(`${text} is not a text`);
  }
}

function pathOf(text: string): Expression {
  return {
    kind: 'path',
    from: text.startsWith('$') ? 'root' : 'dot',
    names: text
      .replace('$', '')
      .split('.')
      .filter((name) => name !== ''),
  };
}

function wordOf(name: string): Word {
  if (name === 'true' || name === 'false') return { term: { kind: 'constant', value: name === 'true' } };
  if (name === 'nil') return { term: { kind: 'constant', value: null } };
  if (!Object.hasOwn(functions, name))
    throw wrong(`there is no function ${name}; there are ${Object.keys(functions).join(', ')}`);
  return { name };
}

function pipeline(words: Word[]): Expression {
  let value = command(words, []);
  while (isMark(words[0], '|')) {
    words.shift();
    value = command(words, [value]);
  }
  return value;
}

function command(words: Word[], piped: Expression[]): Expression {
  const first = words[0];
  if (first && 'name' in first) {
    words.shift();
    const args: Expression[] = [];
    for (let next = words[0]; next && !isMark(next, '|') && !isMark(next, ')'); next = words[0]) args.push(term(words));
    return { kind: 'call', name: first.name, args: [...args, ...piped] };
  }
  if (piped.length > 0) throw wrong('after | comes a function');
  return term(words);
}

function term(words: Word[]): Expression {
  const word = words.shift();
  if (!word) throw wrong('{{}} is empty');
  if ('term' in word) return word.term;
  if ('name' in word) return { kind: 'call', name: word.name, args: [] };
  if (word.mark !== '(') throw wrong(`${word.mark} comes too early`);
  const inside = pipeline(words);
  if (!isMark(words.shift(), ')')) throw wrong('( is not closed');
  return inside;
}

const isMark = (word: Word | undefined, mark: string): boolean =>
  word !== undefined && 'mark' in word && word.mark === mark;
