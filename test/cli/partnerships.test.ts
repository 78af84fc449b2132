import { makeProduct, makeSerials, PASSWORD, type Person, redeem } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let partners: Partners;
beforeAll(async () => {
  server = await sharedServer();
  partners = await makePartners(server, 20);
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url }));
  const { developer, partnershipId } = partners;
  const product = await makeProduct(server, developer.token, { name: '=Prism, Delay' });
  const [serial] = await makeSerials(server, developer.token, product.id, { reseller_id: partnershipId });
  await redeem(server, serial?.code as string, 'mara@example.com', developer.id);
});
afterAll(async () => {
  await terminal.close();
});

const signIn = async ({ email }: Person) =>
  expect((await terminal.piped(PASSWORD, 'login', '--email', email, '--password-stdin')).code).toBe(0);

it('manages a reseller: rate, threshold, pause, message and end', async () => {
  const { tonerow, json } = terminal;
  await signIn(partners.developer);
  expect((await tonerow('resellers', 'list')).out).toContain('$9.80');
  expect((await tonerow('resellers', 'rate', 'Row Audio', '27.5')).err).toContain('--yes');
  expect(await json('resellers', 'rate', 'row audio', '27.5', '--yes')).toMatchObject({ commission_rate: 27.5 });
  expect((await tonerow('resellers', 'rate', 'Row Audio', '101', '--yes')).code).toBe(64);
  expect(await json('resellers', 'threshold', 'Row Audio', '5')).toMatchObject({ low_stock_threshold: 5 });
  expect(await json('resellers', 'threshold', 'Row Audio', 'none')).toMatchObject({ low_stock_threshold: null });
  const stock = await tonerow('resellers', 'stock', 'Row Audio', '--csv');
  expect(stock.out.split('\r\n')[0]).toBe(
    'product_id,product_name,given,available,not_for_sale,handed_out,redeemed,low',
  );
  expect(stock.out).toContain(`"'=Prism, Delay",3,2,0,0,1,false`);
  const shown = await tonerow('resellers', 'show', 'Row Audio');
  expect(shown.out).toMatch(/rate changed\s+developer\s+27\.5%/);
  expect((await tonerow('resellers', 'message', 'Row Audio', 'New presets on Friday.')).out).toBe('Message sent.\n');
  expect((await tonerow('resellers', 'pause', 'Row Audio', '--yes')).out).toMatch(/Status\s+paused/);
  expect((await tonerow('resellers', 'list', '--connected')).out).toBe('No reseller partners found yet.\n');
  expect((await tonerow('resellers', 'resume', 'Row Audio')).out).toMatch(/Status\s+active/);
});

it('merges a reseller without an account, after showing what would change', async () => {
  const { tonerow, json } = terminal;
  const { developer, partnershipId } = partners;
  await signIn(developer);
  const product = await makeProduct(server, developer.token, { name: 'Hall Reverb' });
  await makeSerials(server, developer.token, product.id, { new_reseller_name: 'Row Audio (old)' });
  const dry = await tonerow('resellers', 'merge', 'Row Audio (old)', partnershipId, '--dry-run');
  expect(dry.out).toContain('Dry run: 1 batch with 3 available serials would move to Row Audio.');
  expect((await tonerow('resellers', 'merge', 'Row Audio (old)', partnershipId)).err).toContain('--yes');
  const merged = await json('resellers', 'merge', 'Row Audio (old)', partnershipId, '--yes');
  expect(merged).toMatchObject({ dry_run: false, batches: 1, serials: 3, reseller: { id: partnershipId } });
  expect((await tonerow('resellers', 'show', partnershipId)).out).toContain('merged (Row Audio (old))');
  expect((await tonerow('resellers', 'list', '--status', 'merged', '--csv')).out).toContain(partnershipId);
  expect((await tonerow('resellers', 'merge', partnershipId, partnershipId, '--yes')).err).toContain(
    'Choose another reseller.',
  );
});

it('shows a reseller its developers, and only the name once the partnership has ended', async () => {
  const { tonerow, json } = terminal;
  await signIn(partners.reseller);
  expect(await json('partners', 'list')).toMatchObject([{ id: partners.developer.id, total_commission: 9.8 }]);
  const shown = await tonerow('partners', 'show', 'Row Audio');
  expect(shown.out).toContain('=Prism, Delay');
  expect((await tonerow('partners', 'stock', 'Row Audio')).out).toMatch(/=Prism, Delay\s+3\s+2\s+0\s+0\s+1/);
  await signIn(partners.developer);
  expect((await tonerow('resellers', 'end', 'Row Audio', '--yes')).out).toMatch(/Status\s+ended/);
  const past = await tonerow('resellers', 'list', '--status', 'ended', '--csv');
  expect(past.out).toContain(`${partners.partnershipId},Row Audio`);

  await signIn(partners.reseller);
  expect((await tonerow('partners', 'list')).out).toBe('No developer partners found yet.\n');
  const [ended] = (await json('partners', 'list', '--status', 'ended')) as object[];
  expect(ended).toMatchObject({ company_name: 'Row Audio', email: null, total_redemptions: 1 });
  expect((await tonerow('partners', 'show', partners.developer.id)).code).not.toBe(0);
  const invites = await tonerow('invites', 'list', '--csv');
  expect(invites.out).toBe('id,company_name,email,commission_rate,message,created_at,expires_at\r\n');
  await signIn(partners.developer);
  const sent = await tonerow('invites', 'sent', '--csv');
  expect(sent.out).toContain(`${partners.reseller.email},accepted,20`);
});
