import vm from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** Globals that browsers, workers, Deno, Bun and Node share. */
const web = {
  ...{
    AbortController,
    AbortSignal,
    Blob,
    DOMException,
    File,
    FormData,
    Headers,
    Request,
    Response,
    URL,
    URLSearchParams,
  },
  ...{ ReadableStream, TextDecoder, TextDecoderStream, TextEncoder, TransformStream, Uint8Array },
  ...{ atob, btoa, clearTimeout, crypto, setTimeout },
};

const answer =
  (status: number, body: unknown, type = 'application/json') =>
  async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers: { 'content-type': type } });

/** Runs a program where there is nothing of Node’s own. */
async function run(program: string, fetch: () => Promise<Response>): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './index.ts'; export * from './operation-client.ts';",
      resolveDir: import.meta.dirname,
    },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'sdk', platform: 'neutral' },
  });
  const context = vm.createContext({ ...web, fetch });
  vm.runInContext(outputFiles[0]?.text ?? '', context);
  return JSON.parse(
    await vm.runInContext(`(async () => JSON.stringify(await (async () => {${program}})()))()`, context),
  );
}

const BEGIN = "const client = sdk.createOperationClient({ baseUrl: 'https://server', token: 't' });";

it('calls and reads answers with nothing but the interfaces of the web', async () => {
  const made = await run(`${BEGIN} return client.products.create({ name: 'Prism' });`, answer(201, { name: 'Prism' }));
  expect(made).toEqual({ name: 'Prism' });
  const thrown = await run(
    `${BEGIN} const error = await client.createProduct({ body: { name: '' } }).catch((thrown) => thrown);
     return [error instanceof sdk.InvalidRequestError, error.code];`,
    answer(400, { status: 400, code: 'invalid_request', title: 'Not valid' }, 'application/problem+json'),
  );
  expect(thrown).toEqual([true, 'invalid_request']);
});

it('watches events there, and verifies signatures', async () => {
  const events = await run(
    `${BEGIN} const controller = new AbortController();
     for await (const event of sdk.watchEvents(client, { signal: controller.signal })) return event;`,
    answer(200, 'event: redemption\ndata: {"product":"Prism"}\n\n', 'text/event-stream'),
  );
  expect(events).toEqual({ type: 'redemption', data: { product: 'Prism' } });
  const verdict = await run(
    `const secret = 'whsec_' + btoa('x'.repeat(32));
     const at = Math.floor(Date.now() / 1000);
     const headers = { 'webhook-id': 'e', 'webhook-timestamp': String(at), 'webhook-signature': 'v1,' + btoa('y'.repeat(32)) };
     return (await sdk.verifyWebhook('{}', headers, secret)).reason;`,
    answer(200, {}),
  );
  expect(verdict).toBe('signature');
});
