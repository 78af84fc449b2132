import { readFile } from 'node:fs/promises';
import { defineCommand } from '#define/define-command.ts';
import { flag, text, texts } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { readAll, write } from '#io.ts';
import { cutOff, readText } from '#output/file.ts';

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

export const apiCommand = defineCommand({
  path: 'api',
  summary: 'Call any API path with your credential',
  operations: [],
  args: [
    ['<method>', 'GET, POST, …', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']],
    ['<path>', 'such as /api/products'],
  ],
  options: {
    input: text('<file>', 'the JSON body ("-" for standard input)'),
    accept: text('<type>', 'the format of the response', { fallback: 'application/json' }),
    anonymous: flag('without your credential'),
    field: texts('<name=value>', 'a field of the JSON body'),
  },
  examples: ['tonerow api GET /api/products', 'tonerow api POST /api/products --field name=Reverb --field price=49'],
  async run({ context, args: [method, path], options }) {
    if (!path?.startsWith('/')) throw new UsageError('The path must begin with a slash, such as /api/products.');
    const { rawRequest } = await import('@tonerow/sdk');
    const fields = options.field.map(fieldOf);
    const input =
      options.input === '-'
        ? await readAll(context.io)
        : options.input
          ? await readFile(options.input, 'utf8')
          : undefined;
    const body =
      input === undefined
        ? fields.length > 0
          ? Object.fromEntries(fields)
          : undefined
        : parse(input, new UsageError('The input is not valid JSON.'));
    const client = await context.clientOptions(options.anonymous ? undefined : (await context.credential()).token);
    const response = await rawRequest(client, method, path, body === undefined ? {} : { body }, {
      ...context.call,
      accept: options.accept,
    });
    const link = response.headers.get('location');
    if (link) return write(context.io.stdout, `${link}\n`);
    const text = await readText(context.io, response);
    const isText = !/json/.test(typeOf(response)) || /ndjson/.test(typeOf(response));
    if (isText) return context.globals.json ? context.print(text, '') : write(context.io.stdout, text);
    const answer = parse(text, cutOff(response.url, 'it is not complete JSON'));
    await context.print(answer, `${JSON.stringify(answer, null, 2)}\n`);
  },
});

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
