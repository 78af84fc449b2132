import { SMTPServer } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { createLogger } from '../log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { smtpMailer, verifySmtp } from './mailer.ts';
import { MailerWatch } from './mailer-watch.ts';

const message = { to: 'nina@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Behavior {
  /** The answers to a client that connects. */
  busy?: boolean;
  refuses?: string;
}

async function listen(behavior: Behavior, port = 0) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) =>
      done(behavior.busy ? Object.assign(new Error('try later'), { responseCode: 421 }) : null),
    onRcptTo: ({ address }, _session, done) =>
      done(address === behavior.refuses ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null),
    onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const at = (server.server.address() as { port: number }).port;
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return { port: at, close };
}

function watched(port: number) {
  const metrics = new Metrics('report');
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const watch = new MailerWatch({
    mailer: smtpMailer(`smtp://127.0.0.1:${port}`, 'no-reply@example.com'),
    log,
    metrics,
  });
  closing.push(() => watch.mailer.close());
  const figures = async () => {
    const page = await metrics.registry.metrics();
    const of = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(page)?.[1] ?? 0);
    const ended = (outcome: string) => of(`tonerow_email_attempts_total\\{outcome="${outcome}"\\}`);
    return [of('tonerow_email_server_up'), ended('sent'), ended('refused'), ended('unreachable')];
  };
  return { watch, lines, figures };
}

it('a mail server that is gone is a warning, a figure and one line, and is well again with the next email', async () => {
  const first = await listen({});
  const { watch, lines, figures } = watched(first.port);
  await watch.mailer.send(message, 'one');
  expect([await watch.warnings(), await figures()]).toEqual([[], [1, 1, 0, 0]]);
  await first.close();
  for (const id of ['two', 'three']) await expect(watch.mailer.send(message, id)).rejects.toThrow();
  expect([await watch.warnings(), await figures()]).toEqual([['email_unreachable'], [0, 1, 0, 2]]);
  expect(lines.filter((line) => line.includes('cannot be used'))).toHaveLength(1);
  expect(lines.join('')).not.toContain('nina@');
  const again = await listen({}, first.port);
  closing.push(again.close);
  await watch.mailer.send(message, 'two');
  expect([await watch.warnings(), await figures()]).toEqual([[], [1, 2, 0, 2]]);
});

it('one that lets nobody in is away, too; one that refuses a single address is not', async () => {
  const behavior: Behavior = { busy: true, refuses: message.to };
  const server = await listen(behavior);
  closing.push(server.close);
  const { watch, figures } = watched(server.port);
  await expect(watch.mailer.send(message, 'one')).rejects.toThrow();
  expect(await watch.warnings()).toEqual(['email_unreachable']);
  behavior.busy = false;
  await expect(watch.mailer.send(message, 'one')).rejects.toThrow();
  expect([await watch.warnings(), await figures()]).toEqual([[], [1, 0, 1, 1]]);
});

it('is asked without an email by whoever examines the installation', async () => {
  const server = await listen({});
  await expect(verifySmtp(`smtp://127.0.0.1:${server.port}`)).resolves.toBeUndefined();
  await server.close();
  await expect(verifySmtp(`smtp://127.0.0.1:${server.port}`)).rejects.toThrow(/ECONNREFUSED/);
});
