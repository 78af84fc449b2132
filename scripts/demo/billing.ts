import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnServer } from '@tonerow/test-support/process.ts';
import { PUBLISHABLE_KEY, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { besideServer } from '../../packages/server/src/beside-server.ts';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { admin, billed, runBillStory } from './billing-story.ts';
import { PASSWORD } from './cast.ts';
import { ownPort } from './own-port.ts';

/**
 * A server of its own with a stand-in for Stripe behind it, and a developer with half a year of bills. All of it lives in a
 * temporary folder, and until Ctrl-C.
 */
export async function demoOfBilling(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-billing-'));
  const port = await ownPort();
  const clock = new TestClock(new Date());
  const end = clock.now();
  let isRunning = true;
  const stripe = await startStripe({ now: () => (isRunning ? clock.now() : new Date()) });
  const settings = { ...stripe.env, TONEROW_RATE_LIMITS: 'on' };
  const start = (role: string) => spawnServer({ dataDir, port, env: { ...settings, TONEROW_ROLE: role } });
  // without its jobs, which live today
  let server = await start('api');
  const stop = async () => {
    server.child.kill('SIGTERM');
    await server.ended();
  };
  try {
    // never a database that somebody else uses
    Object.assign(process.env, settings, { TONEROW_DATA_DIR: dataDir, PORT: String(port), DATABASE_URL: '' });
    await besideServer(
      async (deps) => {
        await deps.jobs.start({ work: false });
        await runBillStory({ deps, clock, end, stripe }).finally(() => deps.jobs.stop(1000));
      },
      { overrides: { clock } },
    );
    isRunning = false;
    await stop();
    server = await start('api,worker');
    process.stdout.write(textOf(server.url, stripe.url));
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
  } finally {
    await stop();
    stripe.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const textOf = (url: string, stripeUrl: string) => `
  ${url}/login

  Developer  ${billed.email}    ${PASSWORD}
  Admin      ${admin.email}      ${PASSWORD}

  Stripe is a stand-in here, and its form for cards cannot be shown. To enter a card as the browser would:

  TONEROW_URL=${url} npx tonerow login --email ${billed.email}
  SECRET=$(TONEROW_URL=${url} npx tonerow billing add-card --json --jq .client_secret | tr -d '"')
  curl ${stripeUrl}/v1/setup_intents/\${SECRET%%_secret_*}/confirm \\
    -d key=${PUBLISHABLE_KEY} -d client_secret=$SECRET -d payment_method=pm_card_visa
  TONEROW_URL=${url} npx tonerow billing card

  pm_card_mastercard works as well; pm_card_chargeCustomerFail is declined when it is charged. Ctrl-C ends all of it.

`;
