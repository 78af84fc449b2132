import { parseSync } from 'oxc-parser';

const MONEY =
  /cents|dollar|price|amount|revenue|commission|earned|owed|fees?(?![a-z])|cost|paid|refunded|outstanding|balance|money/i;
/** Names with a word of money in them that count something else. */
const OTHER = /bps|[rR]ate|percent|[cC]ount|redemptions|_at$|At$|_?ids?$|Id$|_on$/;
/** The factors that turn dollars into cents, and cents into dollars. */
const HUNDRED = new Set([100, 0.01]);
const OPERATORS = new Set(['+', '-', '*', '/', '%']);
/** PostgreSQL's numeric is decimal, and exact; these are not. */
const FLOAT_SQL =
  /([\w."]+|\))\s*::\s*(?:float[48]?|real|double precision)\b|\bcast\((.+?) as (?:float[48]?|real|double precision)\)/gi;

interface Node {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: nodes of every kind
  [part: string]: any;
}

export interface Found {
  line: number;
  what: string;
}

/** Money as floating point in a source of ours: the lines in which it is made, printed or computed with. */
export function floatMoney(source: string): Found[] {
  const { program, errors } = parseSync('source.ts', source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const places: number[] = [];
  visit(program as unknown as Node, (node) => {
    if (isFloat(node)) places.push(node.type === 'CallExpression' ? node.callee.end : node.start);
    for (const { start, text } of textsIn(node))
      for (const match of text.matchAll(FLOAT_SQL))
        if (namesMoney(operandOf(text, match))) places.push(start + match.index);
  });
  const lines = source.split('\n');
  const found = new Set(places.map((place) => source.slice(0, place).split('\n').length));
  return [...found].sort((a, b) => a - b).map((line) => ({ line, what: lines[line - 1]?.trim() ?? '' }));
}

function isFloat(node: Node): boolean {
  if (node.type === 'BinaryExpression' && OPERATORS.has(node.operator)) {
    // a dollar amount is for an answer: code that computes with it computes with floating point
    if (isDollars(node.left) || isDollars(node.right)) return true;
    if (node.operator === '/') return isHundred(node.right) && holdsMoney(node.left);
    if (node.operator !== '*') return false;
    return (isHundred(node.right) && holdsMoney(node.left)) || (isHundred(node.left) && holdsMoney(node.right));
  }
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name;
  if (name === 'toFixed') return holdsMoney(callee.object);
  return (
    (name === 'parseFloat' || (name === 'Number' && callee.type === 'Identifier')) && node.arguments.some(holdsMoney)
  );
}

const isHundred = (node: Node) => node.type === 'Literal' && HUNDRED.has(node.value);
const isDollars = (node: Node) => node.type === 'CallExpression' && node.callee.name === 'toDollars';

function holdsMoney(node: Node): boolean {
  let holds = false;
  visit(node, ({ type, name }) => {
    holds ||= type === 'Identifier' && isMoney(name);
  });
  return holds;
}

const isMoney = (name: string) => MONEY.test(name) && !OTHER.test(name);
const namesMoney = (sql: string) => (sql.match(/[a-z_]\w*/gi) ?? []).some(isMoney);

/** The contents of strings and templates. */
function textsIn(node: Node): { start: number; text: string }[] {
  if (node.type === 'Literal' && typeof node.value === 'string') return [{ start: node.start, text: node.raw }];
  if (node.type === 'TemplateElement') return [{ start: node.start, text: node.value.raw }];
  return [];
}

/** The operand that is cast to floating point: a column, or everything in the parentheses. */
function operandOf(text: string, match: RegExpMatchArray): string {
  const [, before, within] = match;
  if (before !== ')') return before ?? within ?? '';
  const end = match.index as number;
  let depth = 0;
  for (let at = end; at >= 0; at -= 1) {
    if (text[at] === ')') depth += 1;
    if (text[at] === '(') depth -= 1;
    if (depth === 0) return text.slice(at, end);
  }
  return text.slice(0, end);
}

function visit(node: Node, each: (node: Node) => void): void {
  each(node);
  for (const part of Object.values(node))
    for (const child of Array.isArray(part) ? part : [part])
      if (child && typeof child.type === 'string') visit(child, each);
}
