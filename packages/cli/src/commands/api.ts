import { readFile } from 'node:fs/promises';
import type { CallOptions, ClientOptions, TonerowError } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { flag, short, text, texts } from '#define/option-types.ts';
import { Failure, UsageError } from '#exit.ts';
import { readAll, write } from '#io.ts';
import { cutOff, readText } from '#output/files/file.ts';
import { printAllAsJson } from '#output/rows.ts';
import type { Context } from '#run/context.ts';
import { type Answer, followPages } from './api-pages.ts';

/** `name=value`, where the value may be JSON. */
function fieldOf(text: string): [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--field takes name=value, not "${text}".`);
  const value = text.slice(at + 1);
  try {
    return [text.slice(0, at), JSON.parse(value)];
  } catch {
    return [text.slice(0, at), value];
  }
}

/** The client's own: which credential goes to which server is not for a command line. */
const OWN_HEADERS = ['authorization', 'cookie', 'host', 'content-length'];

function headersOf(given: string[]): Record<string, string> {
  const pairs = given.map((text): [string, string] => {
    const [, name, value] = /^([\w-]+)\s*:\s*([\x20-\x7e]*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new UsageError(`--header takes "Name: value", not "${text}".`);
    if (OWN_HEADERS.includes(name.toLowerCase()))
      throw new UsageError(`--header cannot set ${name}. Set a credential with TONEROW_TOKEN.`);
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(pairs);
}

export const apiCommand = defineCommand({
  path: 'api',
  summary: 'Call any API path with your credential',
  operations: [],
  args: [
    ['<method>', 'GET, POST, …; left out: GET, or POST with a body', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']],
    ['[path]', 'such as /api/products'],
  ],
  options: {
    field: texts('<name=value>', 'a field of the JSON body'),
    input: text('<file>', 'the JSON body ("-" for standard input)'),
    header: short('H', texts('<name:value>', 'a header of the request')),
    include: short('i', flag('print the status and the headers of the response, too')),
    paginate: flag('all pages of a list, as one JSON array'),
    accept: text('<type>', 'the format of the response', { fallback: 'application/json' }),
    anonymous: flag('without your credential'),
  },
  examples: [
    'tonerow api /api/products',
    'tonerow api POST /api/products --field name=Reverb --field price=49',
    "tonerow api GET '/api/serials?limit=1000' --paginate --jq '.[].code'",
    'tonerow api GET /api/plans -i',
  ],
  async run({ context, args: [first, second], options }) {
    const hasBody = options.input !== undefined || options.field.length > 0;
    const [method, path] =
      second === undefined && first.startsWith('/') ? [hasBody ? 'POST' : 'GET', first] : [first, second];
    if (!path?.startsWith('/')) throw new UsageError('The path must begin with a slash, such as /api/products.');
    if (options.paginate && (method.toUpperCase() !== 'GET' || options.accept !== 'application/json'))
      throw new UsageError('--paginate is for lists: use GET, and no --accept.');
    if (options.paginate && options.include) throw new UsageError('--paginate and --include exclude each other.');
    if (options.input !== undefined && options.field.length > 0)
      throw new UsageError('--input and --field exclude each other: both are the body.');
    const headers = headersOf(options.header);
    const body = await bodyOf(context, options.input, options.field);
    const client = await context.clientOptions(options.anonymous ? undefined : (await context.credential()).token);
    const call = { ...context.call, accept: options.accept, headers };
    if (options.paginate)
      return printAllAsJson(
        context,
        followPages(path, (at) => jsonAt(context, client, at, call)),
      );
    const { rawRequest } = await import('@tonerow/sdk');
    let last: Response | undefined;
    const onResponse = (response: Response) => {
      last = response;
    };
    const head = () => (options.include && last ? write(context.io.stdout, headOf(last)) : undefined);
    const input = body === undefined ? {} : { body };
    const response = await rawRequest({ ...client, onResponse }, method, path, input, call).catch(async (error) => {
      // a refusal by the API, not what came from anybody else
      if ((error as Partial<TonerowError>).problem !== undefined) await head();
      throw error;
    });
    await head();
    await print(context, response);
  },
});

async function print(context: Context, response: Response): Promise<void> {
  const link = response.headers.get('location');
  if (link) return write(context.io.stdout, `${link}\n`);
  const text = await readText(context.io, response);
  const isText = !/json/.test(typeOf(response)) || /ndjson/.test(typeOf(response));
  if (isText) return context.globals.json ? context.print(text, '') : write(context.io.stdout, text);
  const answer = parse(text, cutOff(response.url, 'it is not complete JSON'));
  await context.print(answer, `${JSON.stringify(answer, null, 2)}\n`);
}

async function jsonAt(context: Context, client: ClientOptions, path: string, call: CallOptions): Promise<Answer> {
  const { rawRequest } = await import('@tonerow/sdk');
  const response = await rawRequest(client, 'GET', path, {}, call);
  const text = await readText(context.io, response);
  if (!/json/.test(typeOf(response))) throw new Failure(`${path} does not return JSON.`);
  return { data: parse(text, cutOff(response.url, 'it is not complete JSON')), headers: response.headers };
}

async function bodyOf(context: Context, file: string | undefined, fields: string[]): Promise<unknown> {
  const given = fields.map(fieldOf);
  if (file === undefined) return given.length > 0 ? Object.fromEntries(given) : undefined;
  const text = file === '-' ? await readAll(context.io) : await readFile(file, 'utf8').catch(unreadable(file));
  return parse(text, new UsageError('The input is not valid JSON.'));
}

const unreadable = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new Failure(`${file} cannot be read (${error.code}).`);
};

/** As it came, with an empty line at its end. */
function headOf({ status, statusText, headers }: Response): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP ${status} ${statusText}`.trim(), ...lines].join('\n')}\n\n`;
}

function parse(text: string, failure: Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failure;
  }
}

function typeOf(response: Response): string {
  return response.headers.get('content-type') ?? '';
}
