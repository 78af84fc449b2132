import { Agent, fetch as undiciFetch } from 'undici';

/**
 * fetch for Node over connections that stay open, and without a limit of its own on how long an answer may take to
 * begin: the client's timeout is the only one. Close the agent when a short-lived process is done.
 */
export function nodeFetch(): { fetch: typeof fetch; close(): Promise<void> } {
  const agent = new Agent({ keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0, connections: 16 });
  const send = (url: string | URL | Request, init?: RequestInit) =>
    undiciFetch(url as string, { ...(init as object), dispatcher: agent }) as unknown as Promise<Response>;
  return { fetch: send as typeof fetch, close: () => agent.destroy() };
}
