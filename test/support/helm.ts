import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

type Values = Record<string, unknown>;

interface Scope {
  Values: Values;
  Release: { Name: string };
  Chart: { AppVersion: string };
  /** The text of a file of the chart. */
  file(name: string): string;
  variables: Record<string, unknown>;
}

/** A part of a template: text, or what is between two braces. */
type Part = { text: string } | { action: string };

/**
 * Renders a chart as helm does, as far as charts here use its language: values, files, `if`, `range` over names,
 * `default`, `quote`, `toYaml`, `toJson`, `sha256sum` and `nindent`. Anything else is refused, so that a template is
 * either understood or fails.
 */
export function render(chart: string, overrides: Values = {}): Record<string, unknown>[] {
  const read = (name: string) => parse(readFileSync(path.join(chart, name), 'utf8')) as Values;
  const about = read('Chart.yaml');
  const scope: Scope = {
    Values: merged(read('values.yaml'), overrides),
    Release: { Name: 'test' },
    Chart: { AppVersion: String(about.appVersion) },
    file: (name) => readFileSync(path.join(chart, name), 'utf8'),
    variables: {},
  };
  return readdirSync(path.join(chart, 'templates')).flatMap((name) => {
    const text = renderText(readFileSync(path.join(chart, 'templates', name), 'utf8'), scope);
    return parseAllDocuments(text).flatMap((document) => {
      if (document.errors.length > 0) throw new Error(`${name}: ${document.errors[0]?.message}\n${text}`);
      const made = document.toJS() as Record<string, unknown> | null;
      return made ? [made] : [];
    });
  });
}

function merged(values: Values, overrides: Values): Values {
  const result: Values = { ...values };
  for (const [name, value] of Object.entries(overrides)) {
    const before = result[name];
    result[name] = isMap(before) && isMap(value) ? merged(before, value) : value;
  }
  return result;
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

export function renderText(template: string, scope: Scope): string {
  // a dash takes the space beside it along
  const tight = template.replace(/\s*\{\{-/g, '{{').replace(/-\}\}\s*/g, '}}');
  const parts = tight.split(/(\{\{.*?\}\})/).map((part): Part => {
    const [, action] = /^\{\{\s*(.*?)\s*\}\}$/.exec(part) ?? [];
    return action === undefined ? { text: part } : { action };
  });
  const [text, rest] = block(parts, scope);
  if (rest.length > 0) throw new Error('an end without a beginning');
  return text;
}

/** Renders up to the `end` that closes it. */
function block(parts: Part[], scope: Scope): [text: string, rest: Part[]] {
  let [text, left] = ['', parts];
  while (left.length > 0) {
    const [part, ...others] = left as [Part, ...Part[]];
    left = others;
    if ('text' in part) text += part.text;
    else if (part.action === 'end') return [text, left.length > 0 ? left : [{ text: '' }]];
    else if (part.action.startsWith('if ')) {
      const holds = isTrue(evaluate(part.action.slice(3), scope));
      const [inner, rest] = block(left, scope);
      text += holds ? inner : '';
      left = rest;
    } else if (part.action.startsWith('range ')) {
      const [, name = '', value = '', list = ''] = /^range (\$\w+), (\$\w+) := (\S+)$/.exec(part.action) ?? [];
      if (!list) throw new Error(`not understood: ${part.action}`);
      let rest = block(left, { ...scope, variables: { ...scope.variables, [name]: '', [value]: '' } })[1];
      for (const [key, each] of Object.entries(evaluate(list, scope) as Values).sort(([a], [b]) => (a < b ? -1 : 1))) {
        const [inner, after] = block(left, { ...scope, variables: { ...scope.variables, [name]: key, [value]: each } });
        text += inner;
        rest = after;
      }
      left = rest;
    } else text += String(evaluate(part.action, scope));
  }
  return [text, []];
}

const isTrue = (value: unknown) =>
  Boolean(value) && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function evaluate(expression: string, scope: Scope): unknown {
  const [first = '', ...filters] = expression.split('|').map((part) => part.trim());
  return filters.reduce((value, filter) => filtered(value, filter, scope), term(first, scope));
}

function term(text: string, scope: Scope): unknown {
  const [, yaml] = /^toYaml (\S+)$/.exec(text) ?? [];
  if (yaml) return stringify(term(yaml, scope)).trimEnd();
  const [, file] = /^\.Files\.Get "([^"]+)"$/.exec(text) ?? [];
  if (file) return scope.file(file);
  if (text.startsWith('$')) {
    if (!(text in scope.variables)) throw new Error(`no such variable: ${text}`);
    return scope.variables[text];
  }
  if (!/^(\.\w+)+$/.test(text)) throw new Error(`not understood: ${text}`);
  let value: unknown = scope;
  for (const name of text.slice(1).split('.')) {
    if (!isMap(value) || !(name in value)) throw new Error(`no such value: ${text}`);
    value = value[name];
  }
  return value;
}

function filtered(value: unknown, filter: string, scope: Scope): unknown {
  const [name, argument = ''] = filter.split(/\s+/);
  if (name === 'quote') return JSON.stringify(String(value));
  if (name === 'toJson') return JSON.stringify(value);
  if (name === 'sha256sum') return createHash('sha256').update(String(value)).digest('hex');
  if (name === 'default') return isTrue(value) ? value : term(argument, scope);
  if (name === 'nindent') return `\n${String(value).replace(/^(?=.)/gm, ' '.repeat(Number(argument)))}`;
  throw new Error(`not understood: ${filter}`);
}
