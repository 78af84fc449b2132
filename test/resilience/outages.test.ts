import { type Bucket, openBucket } from '@tonerow/test-support/bucket.ts';
import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  verifyEmail,
} from '@tonerow/test-support/http.ts';
import { freePort } from '@tonerow/test-support/process.ts';
import { samplesOf, sumOf } from '@tonerow/test-support/prometheus.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

let server: TestServer;
let bucket: Bucket;
let ada: Person;
let smtpPort: number;
let metricsPort: number;

beforeAll(async () => {
  bucket = await openBucket();
  [smtpPort, metricsPort] = [await freePort(), await freePort()];
  server = await startServer({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      TONEROW_METRICS_PORT: String(metricsPort),
      S3_ENDPOINT: bucket.endpoint,
      S3_BUCKET: 'tonerow',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    },
  });
  ada = await signUp(server);
  await verifyEmail(server, ada);
});
afterAll(async () => {
  await server.stop();
  bucket.close();
});

const figures = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
async function readiness(): Promise<[status: number, warnings: string[]]> {
  const answer = await call(server, 'GET', '/readyz');
  return [answer.status, answer.body.warnings ?? []];
}

it('a mail server that is away loses no email: it is a warning and a figure, and the email comes when it is back', async () => {
  await call(server, 'POST', '/api/auth/forgot-password', { body: { email: ada.email } });
  await expect.poll(readiness, { timeout: 20_000 }).toEqual([200, ['email_unreachable']]);
  const page = await figures();
  expect(sumOf(page, 'tonerow_email_server_up')).toBe(0);
  expect(sumOf(page, 'tonerow_email_attempts_total', { outcome: 'unreachable' })).toBeGreaterThan(0);
  expect(sumOf(page, 'tonerow_email_oldest_unsent_seconds')).toBeGreaterThan(0);
  // customers redeem all the same
  const [serial] = await makeSerials(server, ada.token, (await makeProduct(server, ada.token)).id);
  expect((await redeem(server, serial?.code as string, 'nina@example.com')).status).toBe(200);
  const received: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      received.push(...session.envelope.rcptTo.map(({ address }) => address));
      stream.resume().on('end', () => done());
    },
  });
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      smtp.once('error', reject);
      smtp.listen(smtpPort, '127.0.0.1', resolve);
    });
  // nobody kept the port meanwhile: it may be that of a passing connection
  await vi.waitFor(listen, { timeout: 20_000, interval: 1000 });
  try {
    await expect
      .poll(() => [...new Set(received)].sort(), { timeout: 60_000, interval: 200 })
      .toEqual([ada.email, 'nina@example.com'].sort());
    await expect.poll(readiness, { timeout: 20_000 }).toEqual([200, []]);
    expect(samplesOf(await figures()).get('tonerow_email_server_up')).toBe(1);
  } finally {
    await new Promise<void>((resolve) => smtp.close(resolve));
  }
}, 120_000);

it('a bucket that is away keeps no plugin waiting: uploads are refused with 503, and work again when it is back', async () => {
  const create = (size: number) =>
    call(server, 'POST', '/api/files', { token: ada.token, body: { name: 'Reverb.zip', size } });
  expect((await create(10)).status).toBe(201);
  bucket.trouble('denied');
  const refused = await create(10);
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
  // the mail server of the test before is away again
  const aboutFiles = async () => {
    const [status, warnings] = await readiness();
    return [status, warnings.filter((name) => name.startsWith('storage'))];
  };
  expect(await aboutFiles()).toEqual([200, ['storage_unreachable']]);
  const page = await figures();
  expect(sumOf(page, 'tonerow_storage_up')).toBe(0);
  expect(sumOf(page, 'tonerow_storage_failures_total', { operation: 'begin_parts' })).toBe(1);
  expect(sumOf(page, 'tonerow_ready')).toBe(1);
  const [serial] = await makeSerials(server, ada.token, (await makeProduct(server, ada.token)).id);
  const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  const activated = await call(server, 'POST', '/api/license/v1/activate', {
    headers: { authorization: `Bearer ${key}` },
    body: { license_key: serial?.code, machine_id: 'studio', email: 'nina@example.com' },
  });
  expect(activated.body.status).toBe('active');
  bucket.trouble();
  expect((await create(10)).status).toBe(201);
  expect(await aboutFiles()).toEqual([200, []]);
  expect(sumOf(await figures(), 'tonerow_storage_up')).toBe(1);
}, 60_000);
