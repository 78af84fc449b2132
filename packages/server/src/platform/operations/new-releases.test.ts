import { createServer } from 'node:http';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../version.ts';
import { isNewer, releaseCheck, watchReleases } from './new-releases.ts';

/** A feed that gives these answers, one after the other, and a log; null: the connection breaks. */
async function feedOf(answers: (object | number | null)[]) {
  let asked = 0;
  const server = createServer((request, response) => {
    const answer = answers[asked] ?? null;
    asked += 1;
    if (answer === null) request.socket.destroy();
    else if (typeof answer === 'number') response.writeHead(answer).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/latest.json`;
  return { url, log, lines };
}

/** The reports of the looks at a feed. */
async function reportsOf(...answers: (object | number | null)[]): Promise<(string | undefined)[]> {
  const { url, log, lines } = await feedOf(answers);
  const look = releaseCheck(url, log);
  const reports: (string | undefined)[] = [];
  for (const _ of answers) {
    await look();
    reports.push(lines.pop());
  }
  return reports;
}

it('reports each newer release once', async () => {
  const reports = await reportsOf(
    { name: 'tonerow', version: VERSION },
    { tag_name: 'v98.0.0' },
    { version: '98.0.0' },
    { version: '99.0.0' },
    { version: '0.0.1' },
  );
  expect(reports).toEqual([
    undefined,
    expect.stringMatching(`^Version 98.0.0 is available, and this is ${VERSION}\\. See `),
    undefined,
    expect.stringContaining('Version 99.0.0 is available'),
    undefined,
  ]);
});

it('goes on when the feed breaks, fails or names no release, and reports that', async () => {
  expect(await reportsOf(null, 503, { version: 'latest' }, { version: '99.0.0' })).toEqual([
    'TONEROW_RELEASE_FEED does not answer',
    'TONEROW_RELEASE_FEED names no release',
    'TONEROW_RELEASE_FEED names no release',
    expect.stringContaining('Version 99.0.0'),
  ]);
});

it('looks at once, and again when its time has come', async () => {
  const { url, log, lines } = await feedOf([{ version: VERSION }, { version: '99.0.0' }]);
  onTestFinished(watchReleases(url, log, 20));
  await expect.poll(() => lines[0]).toContain('Version 99.0.0');
});

it.each([
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '0.99.0', true],
  ['0.2.0', '0.2.0', false],
  ['0.1.9', '0.2.0', false],
])('%s is newer than %s: %s', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer);
});
