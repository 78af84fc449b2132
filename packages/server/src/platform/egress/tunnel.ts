import http from 'node:http';
import type { Socket } from 'node:net';
import tls from 'node:tls';

class ProxyRefused extends Error {
  readonly code = 'ERR_PROXY';
}

class TunnelClosed extends Error {
  readonly code = 'ECONNRESET';
}

/** A connection to the host of `url` by way of a proxy, encrypted if the url is: the proxy resolves and filters the name. */
export async function tunnel(
  proxy: URL,
  url: URL,
  { signal, connectMs }: { signal: AbortSignal; connectMs: number },
): Promise<Socket> {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const target = `${url.hostname}:${port}`;
  const authorization =
    proxy.username === ''
      ? {}
      : {
          'proxy-authorization': `Basic ${Buffer.from(
            `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`,
          ).toString('base64')}`,
        };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
  const socket = await new Promise<Socket>((resolve, reject) => {
    const request = http.request({
      host: proxy.hostname,
      port: proxy.port || 80,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...authorization },
      agent: false,
      signal: limit,
    });
    request.once('connect', (response, connection) => {
      if (response.statusCode === 200) return resolve(connection);
      connection.destroy();
      reject(new ProxyRefused());
    });
    request.once('response', () => reject(new ProxyRefused()));
    request.once('error', reject);
    request.end();
  });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  if (url.protocol !== 'https:') return socket;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const giveUp = () => socket.destroy();
    // the time to connect is that until it is encrypted
    limit.addEventListener('abort', giveUp, { once: true });
    const secure = tls.connect({ socket, host, servername: host, rejectUnauthorized: true }, () => {
      limit.removeEventListener('abort', giveUp);
      resolve(secure);
    });
    secure.once('error', reject);
    // destroyed from outside, or by a proxy that hangs up, it closes without an error
    secure.once('close', () => reject(limit.reason ?? new TunnelClosed()));
  });
}
