import { Agent, type Dispatcher, ProxyAgent, FormData as UndiciForm, fetch as undiciFetch } from 'undici';

export interface NodeFetchOptions {
  /** The address of a proxy for all requests, such as `http://name:password@proxy.example.com:3128`. */
  proxy?: string | undefined;
  /** Certificates of authorities, in PEM: the only ones that are trusted. Default: those of Node. */
  ca?: string[] | undefined;
}

/**
 * fetch for Node that keeps connections open and has no time limit of its own for a response to
 * begin: the client's timeout is the only one. Close the agent when a short-lived process is done.
 */
export function nodeFetch(options: NodeFetchOptions = {}): { fetch: typeof fetch; close(): Promise<void> } {
  const agent = agentOf(options);
  const send = (url: string | URL | Request, init?: RequestInit) =>
    undiciFetch(url as string, {
      ...(init as object),
      body: ownForm(init?.body),
      dispatcher: agent,
    }) as unknown as Promise<Response>;
  return { fetch: send as typeof fetch, close: () => agent.destroy() };
}

function agentOf({ proxy, ca }: NodeFetchOptions): Dispatcher {
  const limits = { keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0, connections: 16 };
  const trust = ca === undefined ? undefined : { ca };
  if (proxy === undefined) return new Agent({ ...limits, ...(trust ? { connect: trust } : {}) });
  return new ProxyAgent({ ...limits, uri: proxy, ...(trust ? { requestTls: trust, proxyTls: trust } : {}) });
}

/** This fetch accepts only its own FormData class; files are read while they are sent, either way. */
// biome-ignore lint/suspicious/noExplicitAny: the two declarations of a body differ in name only
function ownForm(body: unknown): any {
  if (!(body instanceof FormData)) return body;
  const form = new UndiciForm();
  for (const [name, value] of body) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  return form;
}
