import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that hands every request on, and loses the answers to some of them. */
export async function startLosingProxy(target: () => string) {
  let loses: (line: string) => boolean = () => false;
  let arrived: (() => void) | undefined;
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(`${target()}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      redirect: 'manual',
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (loses(`${request.method} ${request.url}`)) {
      arrived?.();
      if (!arrived) request.socket.destroy();
      return;
    }
    const own = [...answer.headers].filter(
      ([name]) => !/^(connection|transfer-encoding|content-length|content-encoding)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(own)).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on the server carries out the requests that fit, and the connection breaks before the answer. */
    lose: (fits: RegExp | null) => {
      loses = (line) => fits?.test(line) === true;
      arrived = undefined;
    },
    /** The same, with a connection that stays open. Resolves when the server has carried the request out. */
    hold: (fits: RegExp) =>
      new Promise<void>((resolve) => {
        loses = (line) => fits.test(line);
        arrived = resolve;
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
