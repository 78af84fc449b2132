import { Agent, FormData as UndiciForm, fetch as undiciFetch } from 'undici';

/**
 * fetch for Node that keeps connections open and has no time limit of its own for a response to
 * begin: the client's timeout is the only one. Close the agent when a short-lived process is done.
 */
export function nodeFetch(): { fetch: typeof fetch; close(): Promise<void> } {
  const agent = new Agent({ keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0, connections: 16 });
  const send = (url: string | URL | Request, init?: RequestInit) =>
    undiciFetch(url as string, {
      ...(init as object),
      body: ownForm(init?.body),
      dispatcher: agent,
    }) as unknown as Promise<Response>;
  return { fetch: send as typeof fetch, close: () => agent.destroy() };
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
