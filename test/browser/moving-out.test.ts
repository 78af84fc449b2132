import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectGoodLooks,
  expectNoSidewaysScroll,
  expectToast,
  savedBy,
  screenshot,
} from './dashboard.ts';

const PASSPHRASE = 'a sentence that only I know';

describe('moving out, in a browser', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();

  it('everything is put into one archive, fetched and deleted', async () => {
    const ada = await signUp(server);
    await makeProduct(server, ada.token, { name: 'Prism Delay', price: 49 });
    const page = await openPage({ as: ada });
    await page.goto('/dashboard/settings#data');
    await expect(page.getByRole('heading', { name: 'No archive is kept' })).toBeVisible();
    await page.getByRole('button', { name: 'Make an archive' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make an archive of everything' });
    await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByLabel('The passphrase again').fill(`${PASSPHRASE}!`);
    await dialog.getByLabel('Your password').fill('not it');
    await dialog.getByRole('button', { name: 'Make the archive' }).click();
    await expect(dialog.getByText('This is not the same passphrase.')).toBeVisible();
    await dialog.getByLabel('The passphrase again').fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Make the archive' }).click();
    await expect.poll(() => dialog.getByLabel('Your password').getAttribute('aria-invalid')).toBe('true');
    await expectGoodLooks(page, 'archive-ask');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Make the archive' }).click();

    await expectToast(page, 'The archive is ready.');
    const { archives } = (await call(server, 'GET', '/api/account/archives', { token: ada.token })).body;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`tonerow-account-${archives[0].id}.zip`);
    const file = readFileSync(await download.path());
    expect(file.subarray(0, 4)).toEqual(Buffer.from('PK\x03\x04'));
    expect(createHash('sha256').update(file).digest('hex')).toBe(archives[0].sha256);

    // one that broke has its reason, and a way to try it again
    await server.db.query(
      `insert into account_archives (developer_id, id, state, error, head, created_at, seen_at, finished_at)
       select developer_id, gen_random_uuid(), 'failed', 'The server stopped while it was made. Make another one.', head,
         created_at, seen_at, finished_at from account_archives where developer_id = $1`,
      [ada.id],
    );
    await page.reload();
    await expect(page.getByText('The server stopped while it was made.')).toBeVisible();
    await expectGoodLooks(page, 'archives');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => dialog.getByLabel('Passphrase', { exact: true }).inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete archive' }).click();
    await expect(page.getByRole('heading', { name: 'No archive is kept' })).toBeVisible();
  });

  it('a product is given up step by step, and the closing of the account asks about the others', async () => {
    const ada = await signUp(server);
    const { id } = await makeProduct(server, ada.token, { name: 'Prism Delay', price: 49 });
    await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
    const page = await openPage({ as: ada });
    await page.goto(`/dashboard/products/${id}`);
    const section = page.getByRole('region', { name: 'Unlock for good' });
    const act = (name: string) => section.getByRole('button', { name, exact: true });
    await expect(section.getByText('None', { exact: true })).toBeVisible();
    await expectGoodLooks(page, 'unlock-none');
    const question = page.getByRole('alertdialog');
    const confirm = async (name: string) => {
      await question.getByLabel('Type Prism Delay to confirm').fill('Prism Delay');
      await question.getByRole('button', { name, exact: true }).click();
    };
    await act('Make an unlock').click();
    await expect(question.getByRole('button', { name: 'Make it' })).toBeDisabled();
    await expectGoodLooks(page, 'unlock-make');
    await confirm('Make it');
    await expect(section.getByText('Not put away')).toBeVisible();
    const file = await savedBy(act('Download its file'));
    expect([file.name, JSON.parse(file.text).type]).toEqual(['Prism_Delay_unlock.json', 'unlock-for-good']);
    await expect(section.getByText('Put away', { exact: true })).toBeVisible();
    await act('Withdraw').click();
    await expect(question.getByText('The file that was downloaded keeps working')).toBeVisible();
    await question.getByRole('button', { name: 'Withdraw' }).click();
    await expect(section.getByText('None', { exact: true })).toBeVisible();
    await act('Make an unlock').click();
    await confirm('Make it');
    await act('Publish').click();
    await question.getByRole('radio', { name: /^Everyone/ }).check();
    await question.getByRole('radio', { name: /^Owners/ }).check();
    await expectGoodLooks(page, 'unlock-publish');
    await confirm('Publish for owners');
    await expect(section.getByText('Published for owners')).toBeVisible();
    await expect(act('Withdraw')).toHaveCount(0);
    await expectGoodLooks(page, 'unlock-owners');
    await act('Publish for everyone').click();
    await confirm('Publish for everyone');
    await expect(section.getByText('Published for everyone')).toBeVisible();

    // everybody who opens the redemption page finds it, without owning anything
    const visitor = await openPage();
    await visitor.goto(`/redeem?dev=${ada.id}`);
    const list = visitor.getByText('Unlocked for everyone');
    await list.click();
    const link = visitor.getByRole('link', { name: 'Download the unlock file: Prism Delay' });
    expect(JSON.parse((await savedBy(link)).text)).toMatchObject({ type: 'unlock-for-good', product_id: id });
    await visitor.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(visitor);
    await expectNoSidewaysScroll(visitor);
    await screenshot(visitor, 'unlocked-for-everyone');

    await page.goto('/dashboard/settings#leave');
    await page.getByRole('button', { name: 'Delete Account Permanently' }).click();
    const dialog = page.getByRole('dialog', { name: /^Are you sure you want to permanently delete your account/ });
    await expect(dialog.getByText('1 product without a published unlock for good')).toBeVisible();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(dialog.getByText('Choose whether they keep working.')).toBeVisible();
    await expectGoodLooks(page, 'unlock-closing');
    await dialog.getByLabel('Publish unlocks for owners').check();
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByText('Account deleted successfully.')).toBeVisible();
    const left = await server.db.query(
      'select audience from product_unlocks where developer_id = $1 order by created_at',
      [ada.id],
    );
    expect(left).toEqual([{ audience: 'everyone' }, { audience: 'owners' }]);
  });
});
