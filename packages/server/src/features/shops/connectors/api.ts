import type { Egress } from '#platform/egress/egress.ts';
import { urlProblem } from '#platform/egress/url-rules.ts';
import type { ApiAnswer, ApiConnector, ApiQuestion, Credentials, ShopApi } from './port.ts';

/** An answer that is longer is a mistake. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The shop's API can't be reached, or has too much to do: another try helps. */
export class ShopAway extends Error {
  override name = 'ShopAway';
}

/** The shop's API refuses, and will until somebody mends that. The message is for the shop's owner. */
export class ShopRefuses extends Error {
  override name = 'ShopRefuses';
  /** It knows no such key, or no longer. */
  readonly isKeyUnknown: boolean;

  constructor(message: string, { isKeyUnknown = false } = {}) {
    super(message);
    this.isKeyUnknown = isKeyUnknown;
  }
}

const WORDS: Record<string, string> = {
  address: 'its address is not allowed',
  dns: 'its address is not known',
  connect: 'nobody answers there',
  tls: 'its certificate is not valid',
  timeout: 'it takes too long',
  closed: 'it hangs up',
  malformed: 'what it answers can’t be read, or is too long',
  redirect: 'it answers with another address',
  proxy: 'the proxy of this server refuses it',
};
/** Those that no other try mends. */
const FINAL = new Set(['address', 'redirect']);

interface Opening {
  egress: Egress;
  /** Stand-ins for all shops, each under its kind. */
  apiBase: string | undefined;
  kind: string;
  connector: ApiConnector;
  credentials: Credentials;
  mode: 'live' | 'test';
  /** How long all of it may take, and what it may ask at most: a shop that lies about its pages is not followed for ever. */
  ms: number;
  most: number;
}

/** Opens a shop's API through the filter for addresses that accounts choose. */
export function openApi({ egress, apiBase, kind, connector, credentials, mode, ms, most }: Opening): ShopApi {
  const signal = AbortSignal.timeout(ms);
  const own = connector.base(credentials, mode);
  // a shop with an address of its own is where that is
  const base = apiBase !== undefined && credentials.address === undefined ? `${apiBase}/${kind}` : own;
  let asked = 0;
  return {
    credentials,
    mode,
    async ask(path, { method = 'GET', headers = {}, body, once }: ApiQuestion = {}) {
      asked += 1;
      if (asked > most) throw new ShopAway('The shop’s API has to be asked too often.');
      const address = `${base}${path}`;
      const problem = urlProblem(address, egress.rules);
      if (problem) throw new ShopRefuses(`The address of the shop’s API can’t be used. ${problem}`);
      const sent = { ...connector.opens(credentials), ...headers };
      const answer = await egress.ask(address, {
        method,
        headers: sent,
        bytes: MOST_BYTES,
        signal,
        ...(body === undefined ? {} : { body }),
        ...(once ? { once } : {}),
      });
      return answerOf(answer);
    },
  };
}

function answerOf({ status, error, headers, text }: Awaited<ReturnType<Egress['ask']>>): ApiAnswer {
  if (status === null || (error !== null && error !== 'status')) {
    const message = `The shop’s API can’t be used: ${WORDS[error ?? ''] ?? 'nothing came'}.`;
    throw FINAL.has(error ?? '') ? new ShopRefuses(message) : new ShopAway(message);
  }
  if (status === 401 || status === 403)
    throw new ShopRefuses(`The shop’s API refuses its key (${status}). Enter one that may read orders.`, {
      isKeyUnknown: status === 401,
    });
  if (status === 429 || status >= 500 || status === 408) throw new ShopAway(`The shop’s API answers ${status}.`);
  if (status >= 400 && status !== 404) throw new ShopRefuses(`The shop’s API answers ${status}.`);
  return { status, headers: headers ?? {}, json: jsonOf(text) };
}

function jsonOf(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    // the connector that reads it reports what is wrong with it
    return null;
  }
}

export const basic = ({ key = '', secret = '' }: Credentials): string =>
  `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
