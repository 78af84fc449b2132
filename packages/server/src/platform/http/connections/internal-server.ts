import { createServer, type Server } from 'node:http';
import { alsoOnIpv6, listeningHost } from './loopback.ts';

export interface InternalAnswer {
  status: number;
  type?: string;
  body?: string;
}

/** Answers a GET. */
export type InternalPage = (query: URLSearchParams) => Promise<InternalAnswer>;

/**
 * A few plain pages for other machines in the network: health, figures, questions of a proxy. It needs none of the API, so
 * that a process without the API can be watched as well.
 */
export async function listenInternally(
  pages: Readonly<Record<string, InternalPage>>,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    const [path = '', query] = (request.url ?? '').split('?', 2);
    const page = request.method === 'GET' || request.method === 'HEAD' ? pages[path] : undefined;
    const answering = page ? page(new URLSearchParams(query)) : Promise.resolve<InternalAnswer>({ status: 404 });
    answering
      .catch((): InternalAnswer => ({ status: 503 }))
      .then(({ status, type, body }) => response.writeHead(status, type ? { 'content-type': type } : {}).end(body));
  });
  server.requestTimeout = 10_000;
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, listeningHost(host), resolve);
  });
  // nobody misses these pages there who has another server at that port
  await alsoOnIpv6(server, host, () => undefined);
  return server;
}
