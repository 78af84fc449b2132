import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { OUR_BRAND } from './brand.ts';
import { composeEmail } from './compose-email.ts';
import { type Mailer, outboxMailer, smtpMailer } from './mailer.ts';

let close: (() => Promise<void> | void) | undefined;
afterEach(() => close?.());

const message = composeEmail({
  to: 'nina@example.com',
  subject: 'Line\r\nBcc: everybody@example.com',
  lines: ['<script>alert(1)</script>'],
  link: { label: 'Go', url: 'https://example.com/?a=1&b=2' },
});

interface Received extends Email {
  recipients: string[];
  secure: boolean;
}

async function smtp(query = '', startsTls = false): Promise<{ mailer: Mailer; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: startsTls ? [] : ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', async () => {
        const recipients = session.envelope.rcptTo.map((to) => to.address);
        received.push({ ...(await PostalMime.parse(Buffer.concat(chunks))), recipients, secure: session.secure });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const mailer = smtpMailer(`smtp://127.0.0.1:${port}${query}`, 'Tonerow <no-reply@tonerow.example>');
  close = async () => {
    mailer.close();
    await new Promise<void>((resolve) => server.close(resolve));
  };
  return { mailer, received };
}

describe('email', () => {
  it('goes to a real SMTP server, once, with its id', async () => {
    const { mailer, received } = await smtp();
    await mailer.send(message, 'job-1');
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

  it('comes in the name of the brand from our address, and is answered to its support', async () => {
    const { mailer, received } = await smtp();
    const unsubscribeUrl = `https://example.com/api/unsubscribe?token=${'x'.repeat(400)}`;
    const brand = { name: 'Röw "Äudio", <Inc> 🎛️', color: '#000000', supportEmail: 'help@row.example' };
    await mailer.send(
      composeEmail({ to: 'nina@example.com', subject: '🎹 שלום', lines: ['x'], brand, unsubscribeUrl }),
      'job-4',
    );
    expect(received[0]).toMatchObject({
      from: { name: brand.name, address: 'no-reply@tonerow.example' },
      replyTo: [{ address: 'help@row.example' }],
      subject: '🎹 שלום',
      recipients: ['nina@example.com'],
    });
    const headers = new Map(received[0]?.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('list-unsubscribe')?.replace(/\s/g, '')).toBe(`<${unsubscribeUrl}>`);
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  it.each([
    'nina@example.com, eve@example.com',
    'nina@example.com\r\nBcc: eve@example.com',
    'nina@example.com>\r\nRCPT TO:<eve@example.com',
  ])('never goes to a second address: %j', async (to) => {
    const { mailer, received } = await smtp();
    await mailer.send(composeEmail({ to, subject: 'x', lines: ['x'] }), 'job-5').catch(() => undefined);
    for (const each of received) expect(each.recipients).not.toContain('eve@example.com');
    expect(received.flatMap((each) => each.bcc ?? [])).toEqual([]);
  });

  it('goes to a server without TLS only where the address does not require it', async () => {
    const { mailer, received } = await smtp('/?requireTLS=true');
    await expect(mailer.send(message, 'job-6')).rejects.toThrow('STARTTLS');
    expect(received).toEqual([]);
  });

  it('goes over TLS where the address requires it', async () => {
    // the stand-in signs its certificate itself
    const { mailer, received } = await smtp('/?requireTLS=true&tls.rejectUnauthorized=false', true);
    await mailer.send(message, 'job-7');
    expect(received).toMatchObject([{ subject: 'Line Bcc: everybody@example.com', secure: true }]);
  });

  it('fails loudly when the SMTP server is away, so that the queue tries again', async () => {
    const mailer = smtpMailer('smtp://127.0.0.1:49', 'a@b.example');
    close = () => mailer.close();
    await expect(mailer.send(message, 'job-2')).rejects.toThrow();
  });

  it('becomes one file without SMTP, however often it is tried', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-outbox-'));
    close = () => rm(folder, { recursive: true });
    const mailer = outboxMailer(folder, 'a@b.example');
    await mailer.send(message, 'job-3');
    await mailer.send(message, 'job-3');
    expect(await readdir(folder)).toEqual(['job-3.eml']);
  });
});

it('writes names and addresses outside ASCII in ASCII headers that decode to the same', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-mail-'));
  close = () => rm(folder, { recursive: true });
  const brand = { ...OUR_BRAND, name: 'Łódź 音 🎹', supportEmail: 'help@löwe.example' };
  const composed = composeEmail({
    to: 'nina@löwe.example',
    subject: 'Zażółć “音” 🎹'.repeat(9),
    lines: ['Hello'],
    brand,
    unsubscribeUrl: 'https://xn--lwe-sna.example/u?t=1',
  });
  await outboxMailer(folder, 'Größe <no-reply@größe.example>').send(composed, 'job-1');
  const message = await readFile(path.join(folder, 'job-1.eml'));
  const [head = ''] = message.toString('latin1').split('\r\n\r\n');
  expect(head).toMatch(/^[\t\r\n\x20-\x7e]+$/);
  const email = await PostalMime.parse(message);
  expect(email).toMatchObject({
    subject: composed.subject,
    from: { name: brand.name },
    messageId: '<job-1@xn--gre-6ka8i.example>',
  });
  expect(
    [email.from?.address, email.to?.[0]?.address, email.replyTo?.[0]?.address].map((each) => each?.split('@')[1]),
  ).toEqual(['xn--gre-6ka8i.example', 'xn--lwe-sna.example', 'xn--lwe-sna.example']);
});
