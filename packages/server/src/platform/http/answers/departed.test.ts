import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { createLogger } from '#platform/log.ts';
import { problems } from './problem.ts';

let app: FastifyInstance;
afterEach(() => app.close());

/** The log line of a request that fails with this error, after its caller went away or before. */
async function failing(error: Error, leaves: boolean) {
  const logged = Promise.withResolvers<string>();
  const log = createLogger('info', { write: (line) => void (line.includes('listening') || logged.resolve(line)) });
  app = Fastify({
    loggerInstance: log as never,
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance;
  problems(app);
  const begun = Promise.withResolvers<void>();
  app.get('/', async (_request, reply) => {
    begun.resolve();
    if (leaves) await once(reply.raw, 'close');
    throw error;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const request = get({ port: (app.server.address() as AddressInfo).port, agent: false });
  request.on('error', () => undefined);
  await begun.promise;
  if (leaves) request.destroy();
  const { level, err } = JSON.parse(await logged.promise);
  return { level, hasStack: typeof err?.stack === 'string' };
}

const sql = (code: string, message: string) => Object.assign(new Error(message), { code });
const canceled = sql('57014', 'canceling statement due to user request');

it.each([
  ['a statement', canceled],
  ['a COPY', sql('57014', 'COPY from stdin failed: The operation was aborted')],
  ['work', new DOMException('This operation was aborted', 'AbortError')],
  ['a body', Object.assign(new Error('aborted'), { code: 'ECONNRESET' })],
  ['what is wrapped', new Error('the import failed', { cause: canceled })],
])(
  '%s that is stopped because its caller went away is noted in a line without a stack',
  { timeout: 5000 },
  async (_what, error) => {
    expect(await failing(error, true)).toEqual({ level: 'info', hasStack: false });
  },
);

it.each([
  ['a bug', new TypeError('x is undefined'), true],
  ['a limit', sql('57014', 'canceling statement due to statement timeout'), true],
  ['a lost database', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), true],
  ['a statement that somebody else stopped', canceled, false],
])('%s stays an error', { timeout: 5000 }, async (_what, error, leaves) => {
  expect(await failing(error, leaves)).toEqual({ level: 'error', hasStack: true });
});
