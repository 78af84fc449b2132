import { readFile, stat } from 'node:fs/promises';
import { makeProduct, makeSerials, redeem } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { openRunner, readSteps, runSteps } from '@tonerow/test-support/workflow.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

const WORKFLOW = 'docs/examples/draw-codes.yml';
let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let partners: Partners;
let token: string;
beforeAll(async () => {
  server = await sharedServer();
  partners = await makePartners(server);
  const product = await makeProduct(server, partners.developer.token, { name: 'Prism Delay', price: 40 });
  const order = { quantity: 5, reseller_id: partners.partnershipId };
  await makeSerials(server, partners.developer.token, product.id, order);
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: token ?? partners.reseller.token }));
  // the scopes that the workflow asks for are all that it has
  const text = await readFile(WORKFLOW, 'utf8');
  const scopes = /tokens create shop (.+)/.exec(text)?.[1]?.split(' ') ?? [];
  token = (await terminal.json('tokens', 'create', 'shop', ...scopes)).token;
});
afterAll(async () => {
  await terminal.close();
});

it('draws the codes of an order once however often it runs, hides them, and returns those of a canceled one', async () => {
  const { file, home, json } = terminal;
  const job = { ...(await openRunner(terminal)), PRODUCT: 'Prism Delay', QUANTITY: '2', REFERENCE: 'order-1042-1' };
  const steps = await readSteps(WORKFLOW, 'draw');
  const codes: string[] = [];
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const log = await runSteps(steps, job, home);
    const drawn = await readFile(file('codes'), 'utf8');
    codes.push(drawn);
    for (const code of drawn.trim().split('\n')) expect(log.replaceAll(`::add-mask::${code}`, '')).not.toContain(code);
  }
  expect(codes[0]).toMatch(/^(\S+\n){2}$/);
  expect(codes[1]).toBe(codes[0]);
  expect((await stat(file('codes'))).mode & 0o077).toBe(0);
  expect(await readFile(file('summary.md'), 'utf8')).toContain('2 codes of Prism Delay for order-1042-1');
  expect(await json('deals', 'products')).toEqual([expect.objectContaining({ available_serials: 3 })]);

  await redeem(server, codes[0]?.split('\n')[0] ?? '', 'nina@example.com');
  await runSteps(await readSteps(WORKFLOW, 'return'), job, home);
  expect(await readFile(file('summary.md'), 'utf8')).toContain('1 codes of order-1042-1 were not returned');
  expect(await json('deals', 'products')).toEqual([expect.objectContaining({ available_serials: 4 })]);
}, 180_000);
