import { readFile } from 'node:fs/promises';
import { UsageError } from '#exit.ts';
import type { Io } from '#io.ts';
import { type ChosenProxy, proxyFor } from './proxy.ts';

interface Transport {
  fetch: typeof fetch;
  close(): Promise<void>;
}

/**
 * How requests reach a server: by Node's own fetch where that does, because loading another one is most of what a short command takes.
 * Another is needed for a proxy, for authorities of one's own, and for what may take longer than the five minutes that Node allows a
 * response: files, and streams.
 * @throws {UsageError} for settings of a proxy or of authorities that are not valid.
 */
export async function transportFor(server: string, env: Io['env']): Promise<Transport> {
  const proxy = proxyFor(server, env);
  // without encryption there is nothing to trust
  const ca = /^https:/i.test(server) ? await authoritiesOf(env) : undefined;
  let own: Promise<Transport> | undefined;
  const load = () => {
    own ??= import('@tonerow/sdk/node').then(({ nodeFetch }) => nodeFetch({ proxy: proxy?.address, ca }));
    return own;
  };
  const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (!proxy && !ca && isBrief(input, init)) return fetch(input, init);
    const transport = await load();
    return proxy ? transport.fetch(input, init).catch(throughProxy(proxy)) : transport.fetch(input, init);
  };
  return { fetch: send as typeof fetch, close: async () => (await own)?.close() };
}

/** Calls that read a large file first, so that no byte comes back for minutes. */
const SLOW = /\/api\/imports\/[^/]+\/check$/;

/** JSON there and back, which the client gives half a minute. */
function isBrief(input: string | URL | Request, init: RequestInit | undefined): boolean {
  if (SLOW.test(String(input))) return false;
  const { body, headers } = init ?? {};
  const plain = body === undefined || body === null || typeof body === 'string';
  return plain && new Headers(headers).get('accept') === 'application/json';
}

/** The reason, with the proxy, which nobody would think of otherwise. */
function throughProxy({ origin, source }: ChosenProxy) {
  return (error: Error): never => {
    if (error.name === 'AbortError') throw error;
    const { code, message } = firstCause(error);
    // without encryption there is no tunnel, and fetch keeps the response to itself
    const [, status] = /\((\d{3})\)/.exec(message.replace(/^proxy authentication required$/i, '(407)')) ?? [];
    const place = `the proxy ${origin} from ${source}`;
    const needs = status === '407' ? ', it needs a name and a password' : '';
    const reason = status ? `${place} responded ${status}${needs}` : `${code || message}, through ${place}`;
    throw new TypeError(error.message, { cause: new Error(reason) });
  };
}

function firstCause(error: Error): NodeJS.ErrnoException {
  return error.cause instanceof Error ? firstCause(error.cause) : error;
}

/**
 * The certificates in SSL_CERT_FILE, and in NODE_EXTRA_CA_CERTS if both are set. Node itself reads the latter alone.
 */
async function authoritiesOf(env: Io['env']): Promise<string[] | undefined> {
  const { SSL_CERT_FILE: file, NODE_EXTRA_CA_CERTS: more } = env;
  if (!file) return undefined;
  const read = await Promise.all([
    certificatesIn('SSL_CERT_FILE', file),
    ...(more ? [certificatesIn('NODE_EXTRA_CA_CERTS', more)] : []),
  ]);
  return read;
}

async function certificatesIn(setting: string, file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${setting} is ${file}, which cannot be read (${error.code}).`);
  });
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`${setting} is ${file}, which holds no certificate in PEM.`);
  return text;
}
