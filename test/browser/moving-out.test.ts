import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { describe, expect, it } from 'vitest';
import { expectGoodLooks, expectToast } from './dashboard.ts';

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
});
