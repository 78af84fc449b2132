import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { letter } from './letter.ts';
import { outboxMailer, smtpMailer } from './mailer.ts';

let close: (() => Promise<void> | void) | undefined;
afterEach(() => close?.());

const mail = letter({
  to: 'nina@example.com',
  subject: 'Line\r\nBcc: everybody@example.com',
  lines: ['<script>alert(1)</script>'],
  link: { label: 'Go', url: 'https://example.com/?a=1&b=2' },
});

describe('mail', () => {
  it('goes to a real SMTP server, once, with its id', async () => {
    const received: Email[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk) => chunks.push(chunk));
        stream.on('end', async () => {
          received.push(await PostalMime.parse(Buffer.concat(chunks)));
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as { port: number };
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`, 'Tonerow <no-reply@tonerow.example>');
    close = async () => {
      mailer.close();
      await new Promise<void>((resolve) => server.close(resolve));
    };
    await mailer.send(mail, 'job-1');
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      subject: 'Line Bcc: everybody@example.com',
      messageId: '<job-1@tonerow.example>',
    });
    expect(received[0]?.to?.map((to) => to.address)).toEqual(['nina@example.com']);
    expect(received[0]?.bcc ?? []).toEqual([]);
    expect(received[0]?.html).toContain('&lt;script&gt;');
    expect(received[0]?.text).toContain('Go: https://example.com/?a=1&b=2');
  });

  it('fails loudly when the SMTP server is away, so that the queue tries again', async () => {
    const mailer = smtpMailer('smtp://127.0.0.1:49', 'a@b.example');
    close = () => mailer.close();
    await expect(mailer.send(mail, 'job-2')).rejects.toThrow();
  });

  it('becomes one file without SMTP, however often it is tried', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-outbox-'));
    close = () => rm(folder, { recursive: true });
    const mailer = outboxMailer(folder, 'a@b.example');
    await mailer.send(mail, 'job-3');
    await mailer.send(mail, 'job-3');
    expect(await readdir(folder)).toEqual(['job-3.eml']);
  });
});
