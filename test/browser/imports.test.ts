import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectGoodLooks,
  expectNoSidewaysScroll,
  expectToast,
  openLive,
  savedBy,
} from './dashboard.ts';

/** As a shop in Germany exports its orders: semicolons, decimal commas, and the letters of Windows. */
const GERMAN = Buffer.from(
  [
    'Bestellung;Kaufdatum;Vorname;Nachname;E-Mail;Lizenzschlüssel;Produkt;Preis',
    '1;31.12.2024 18:30;Jürgen;Groß;juergen@example.com;WOO-0001;Prism Delay;49,50',
    '2;03.01.2025;Nina;Simone;nina@example.com;WOO-0002;Prism Delay;1.041,59',
    '3;04.01.2025;Nina;Simone;nina@example.com;WOO-0003;Flanger;19,00',
    '4;05.01.2025;Nina;Simone;nobody;WOO-0004;Prism Delay;19,00',
    '5;06.01.2025;Nina;Simone;nina@example.com;WOO-0005;Chorus;29,00',
    '',
  ].join('\r\n'),
  'latin1',
);

describe('moving in, in a browser', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();
  let ada: Person;

  beforeEach(async () => {
    ada = await signUp(server);
    await makeProduct(server, ada.token, { name: 'Prism Delay', price: 49 });
  });

  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/csv', buffer });

  it('a file of another system is read, mapped, checked, imported, and taken back', async () => {
    const page = await openPage({ as: ada });
    await openLive(page, '/dashboard/imports');
    await expect(page.getByRole('heading', { name: 'Nothing imported yet' })).toBeVisible();
    await page.getByLabel('File to import').setInputFiles(file('bestellungen.csv', GERMAN));

    // read: what was found out is shown, and can be changed
    await expect(page.getByRole('heading', { name: 'bestellungen.csv' })).toBeVisible();
    await expect.poll(() => page.getByLabel('Encoding').inputValue()).toBe('windows-1252');
    await expect.poll(() => page.getByLabel('Between cells').inputValue()).toBe('semicolon');
    await expect(page.getByRole('columnheader', { name: 'Lizenzschlüssel' })).toBeVisible();
    await expectGoodLooks(page, 'import-read');
    await page.getByRole('link', { name: 'Next: Map' }).click();

    // map: what is not used is named
    await expect(page.getByText('1 column will not be used: Bestellung.')).toBeVisible();
    await expect.poll(() => page.getByLabel('What Preis is').inputValue()).toBe('Total Price');
    await expectGoodLooks(page, 'import-map');
    await page.getByLabel('What Vorname is').selectOption('');
    await expect(page.getByText('2 columns will not be used: Bestellung, Vorname.')).toBeVisible();
    await page.getByLabel('What Vorname is').selectOption('First Name');
    await expect(page.getByText('1 column will not be used: Bestellung.')).toBeVisible();

    // somebody who leaves comes back to where the import was
    await page.goto('/dashboard/imports');
    await page.getByRole('link', { name: 'Continue' }).locator('visible=true').click();
    await page.getByRole('link', { name: 'Next: Check' }).click();
    await page.getByRole('button', { name: 'Check the file' }).click();
    await expect(page.getByRole('heading', { name: '3 lines refused' })).toBeVisible();
    await expect(page.getByText('$1,091.09')).toBeVisible();
    await expect(page.getByRole('cell', { name: '$1,041.59' })).toBeVisible();
    const refused = await savedBy(page.getByRole('button', { name: 'Refused lines as CSV' }));
    expect(refused.text).toContain('4,WOO-0003,');
    await expectGoodLooks(page, 'import-check');

    // the mistake that the check has shown is fixed in its place
    const flanger = page.getByLabel('“Flanger” is');
    await flanger.click();
    await page.getByRole('option', { name: 'Prism Delay' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Flanger' }).getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('button', { name: 'Check the file' }).click();
    await expect(page.getByRole('heading', { name: '2 lines refused' })).toBeVisible();
    // and a product that is missing is added there, and the file checked anew
    await page.getByRole('button', { name: 'Add it as a product' }).click();
    await expectToast(page, '“Chorus” was added, without a price and files.');
    await expect(page.getByRole('heading', { name: '1 line refused' })).toBeVisible();
    await page.getByRole('link', { name: 'Next: Import' }).click();
    await expectGoodLooks(page, 'import-run');
    await page.getByRole('button', { name: 'Import 4 lines' }).click();

    // the report stays
    await expect(page.getByRole('link', { name: 'See what came' })).toBeVisible({ timeout: 30_000 });
    await expectGoodLooks(page, 'import-report');
    await page.reload();
    await expect(page.getByRole('link', { name: 'See what came' })).toBeVisible();
    const sold = async () => (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body.total;
    expect(await sold()).toBe(4);

    await page.goto('/dashboard/imports');
    await page.getByRole('button', { name: 'Take back' }).locator('visible=true').click();
    const question = page.getByRole('alertdialog');
    await expect(question.getByText('4 serials that it added will be deleted')).toBeVisible();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Take back' }).click();
    await expectToast(page, 'bestellungen.csv is being taken back.');
    await expect(page.getByText('Taken back', { exact: true }).locator('visible=true')).toBeVisible({
      timeout: 30_000,
    });
    expect(await sold()).toBe(0);
  });

  it('what the file leaves open is asked, and nothing can be imported before it is answered', async () => {
    const page = await openPage({ as: ada, width: 390 });
    await openLive(page, '/dashboard/imports');
    const text = 'Key,E-mail,Date\nASK-0001,a@example.com,03/04/2025\nASK-0002,b@example.com,05/04/2025\n';
    await page.getByLabel('File to import').setInputFiles(file('keys.csv', Buffer.from(text)));
    await expect(page.getByText('No column has the product.')).toBeVisible();
    await expect(page.getByText('2 questions are open.', { exact: true })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Prism Delay' }).click();
    await page.getByRole('button', { name: 'Day first: 31/12/2026' }).click();
    await expect(page.getByText('Dates have', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Next: Check' }).click();
    await page.getByRole('button', { name: 'Check the file' }).click();
    // a check is possible without the price, an import is not
    await expect(page.getByText('A question about the sales is open.').locator('visible=true').last()).toBeVisible();
    await page.getByRole('button', { name: 'What each product costs today' }).click();
    await expect(page.getByRole('link', { name: 'Next: Import' })).toBeVisible();
    await expect(page.getByText('$98.00')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  it('what is no table is refused with what is wrong, and an import that is not there is not found', async () => {
    const page = await openPage({ as: ada });
    await openLive(page, '/dashboard/imports');
    await page.getByLabel('File to import').setInputFiles(file('empty.csv', Buffer.from('\n\n')));
    await expect(page.getByRole('alert').getByText("The file couldn't be read.")).toBeVisible();
    await page
      .getByLabel('File to import')
      .setInputFiles(file('left.csv', Buffer.from('Serial,Product\nA-00001,Prism Delay\n')));
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expectToast(page, 'left.csv was discarded.');
    await expect(page.getByRole('heading', { name: 'Nothing imported yet' })).toBeVisible();
    await page.goto(`/dashboard/imports/${ada.id}`);
    await expect(page.getByRole('heading', { name: 'Import not found' })).toBeVisible();
  });
});
