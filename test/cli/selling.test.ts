import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { makeProduct, makeSerials, type Person } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let pair: Partners;
let home: string;
let codes: string[];
beforeAll(async () => {
  server = await sharedServer();
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-selling-'));
  pair = await makePartners(server);
  const product = await makeProduct(server, pair.developer.token, { name: 'Prism Delay', price: 49 });
  const give = { reseller_id: pair.partnershipId, quantity: 4 };
  codes = (await makeSerials(server, pair.developer.token, product.id, give)).map(({ code }) => code);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const tonerow = (person: Person, ...line: string[]) =>
  runCommand(line, {
    env: { XDG_CONFIG_HOME: home, HOME: home, TONEROW_URL: server.url, TONEROW_TOKEN: person.token },
  });
const done = async (...line: string[]) => {
  const { code, out, err } = await tonerow(pair.reseller, ...line);
  expect(code, err).toBe(0);
  return out;
};

it('sells one by hand, once for a reference, emails it, lists it and undoes it', async () => {
  expect(await done('draws', 'sold')).toBe('Nothing sold by hand.\n');
  expect(await done('draws', 'offers')).toMatch(/Prism Delay\s+Row Audio\s+\$49\.00\s+4\s+–/);
  const line = ['sell', 'Prism Delay', '--price', '49', '--note', 'Booth 12', '--reference', 'fair-17'];
  const shown = await done(...line);
  expect(shown).toMatch(new RegExp(`Code\\s+${codes[0]}\n[^]*Redeem at\\s+http.*#serial=${codes[0]}`));
  expect(JSON.parse(await done(...line, '--json'))).toMatchObject({ code: codes[0], note: 'Booth 12', email: null });
  expect(await done('draws', 'email', 'fair-17', 'nina@example.com', '--language', 'fr')).toBe(
    'The code is on its way to nina@example.com.\n',
  );
  const named = await done('sell', 'Prism Delay', '--email', 'bill@example.com');
  expect(named).toMatch(new RegExp(`Code\\s+${codes[1]}\n[^]*Reference\\s+hand-`));
  expect(await done('draws', 'sold', 'fair-17')).toMatch(/Email\s+nina@example\.com \((queued|sent)\)/);
  await done('draws', 'return', 'fair-17');
  const list = await tonerow(pair.reseller, 'draws', 'sold');
  expect(list.out).toMatch(new RegExp(`${codes[0]}\\s+returned`));
  expect(list.err).toContain('1 sold for $49.00, 1 returned.');
  const again = await tonerow(pair.reseller, ...line);
  expect([again.code, again.out]).toEqual([1, '']);
  expect(again.err).toContain('returned since');
});

it('shows why it could not sell, and how to repeat a possible sale', async () => {
  const dear = await tonerow(pair.reseller, 'sell', 'Prism Delay', '--price', '9');
  expect([dear.code, dear.err]).toEqual([1, expect.stringContaining('It costs $49.00 now.')]);
  const id = '01900000-0000-7000-8000-000000000001';
  const away = await runCommand(['sell', id], {
    env: { XDG_CONFIG_HOME: home, HOME: home, TONEROW_URL: 'http://127.0.0.1:9', TONEROW_TOKEN: pair.reseller.token },
  });
  expect(away.code).toBe(1);
  expect(away.err).toMatch(/repeat the command with --reference hand-/);
});
