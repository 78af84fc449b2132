import { connect } from 'node:net';
import { createHistogram } from 'node:perf_hooks';

export interface Load {
  url: string;
  headers?: Record<string, string>;
  /** The body of the next request. */
  next(): string;
  seconds: number;
  connections?: number;
}

export interface Shot {
  /** Responses per second. */
  rate: number;
  /** Milliseconds. */
  p99: number;
}

const END = Buffer.from('\r\n\r\n');

/**
 * Posts JSON on connections kept alive, each waiting for its response. Uses bare sockets: on a machine
 * with few cores, an expensive load generator would distort the result.
 * @throws when an answer is not 200 or 201.
 */
export async function shoot({ url, headers = {}, next, seconds, connections = 16 }: Load): Promise<Shot> {
  const { hostname, port, host, pathname } = new URL(url);
  const head = Object.entries({ host, 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const start = `POST ${pathname} HTTP/1.1\r\n${head.join('')}content-length: `;
  const histogram = createHistogram();
  const until = performance.now() + seconds * 1000;
  let answers = 0;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let begun = 0;
      let got: Buffer | null = null;
      const ask = () => {
        if (performance.now() >= until) return socket.end(resolve);
        const body = next();
        begun = performance.now();
        socket.write(`${start}${Buffer.byteLength(body)}\r\n\r\n${body}`);
      };
      socket.setNoDelay(true);
      socket.on('connect', ask);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        got = got ? Buffer.concat([got, chunk]) : chunk;
        const headEnd = got.indexOf(END);
        if (headEnd < 0) return;
        const text = got.toString('latin1', 0, headEnd);
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
        if (!/^HTTP\/1\.1 20[01] /.test(text) || Number.isNaN(length)) {
          socket.destroy(new Error(`${url} answered ${got.toString()}`));
          return;
        }
        if (got.length < headEnd + END.length + length) return;
        got = null;
        answers += 1;
        histogram.record(Math.max(1, Math.round((performance.now() - begun) * 1000)));
        ask();
      });
    });
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, one));
  return { rate: (answers * 1000) / (performance.now() - started), p99: histogram.percentile(99) / 1000 };
}
