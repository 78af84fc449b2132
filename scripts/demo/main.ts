/**
 * Fills a running server with a believable developer, two resellers, products, serials and a year of redemptions, deals and
 * settled months, and prints the logins. Everything is made by the server's own services and routes, under a clock that is
 * moved through the year.
 * `npm run demo -- --billing` starts a server of its own, with a stand-in for Stripe behind it; `npm run demo -- --shops` one with stand-ins for
 * shops.
 */

import { besideServer } from '../../packages/server/src/beside-server.ts';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { demoOfBilling } from './billing.ts';
import { developer, PASSWORD, resellers } from './cast.ts';
import { demoOfShops } from './shops.ts';
import { runStory } from './story.ts';

const failed = (error: Error) => {
  process.stderr.write(`\n  ${error.message}\n\n`);
  process.exitCode = 1;
};
const has = (option: string) => process.argv.includes(option);
await (has('--billing') ? demoOfBilling() : has('--shops') ? demoOfShops() : demoOfAYear()).catch(failed);

async function demoOfAYear(): Promise<void> {
  const clock = new TestClock(new Date());
  const end = clock.now();
  await besideServer(
    async (deps, config) => {
      // the running server lives today, and would work on orders of last month
      await deps.jobs.start({ work: false, deferred: ['shop-order'] });
      try {
        const there = await deps.db.query('select 1 from users where email_key = $1', [developer.email]);
        if (there.length === 0) {
          const { products, serials, redemptions } = await runStory(deps, clock, end);
          process.stdout.write(
            `  ${products} products, ${serials} serials, ${redemptions} redemptions in a year, two resellers with deals and statements, a shop with a month of orders.\n`,
          );
        } else process.stdout.write('  The demo data is there already.\n');
      } finally {
        await deps.jobs.stop(1000);
      }
      process.stdout.write(`
  ${config.publicUrl}/login

  Developer  ${developer.email}    ${PASSWORD}
  Reseller   ${resellers.harbor.email}    ${PASSWORD}
  Reseller   ${resellers.store.email}   ${PASSWORD}

`);
    },
    { overrides: { clock } },
  );
}
