import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, type Person, screenshot } from './dashboard.ts';

const LIGHT_DESK = ['light', 1280, 860] as const;
const DARK_PHONE = ['dark', 390, 844] as const;

/** Shows what is on the screen in the dark on a phone, without loading it again. */
export const onDarkPhone = (page: Page) => show(page, DARK_PHONE);

/**
 * Examines what is on the screen in the light on a desk and in the dark on a phone, without loading it again. What is
 * there already comes first.
 */
export async function expectWellBothWays(page: Page, name: string): Promise<void> {
  const looks = (await isDark(page)) ? [DARK_PHONE, LIGHT_DESK] : [LIGHT_DESK, DARK_PHONE];
  for (const look of looks) {
    await show(page, look);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await screenshot(page, `${name}-${look[0]}-${look[1]}`);
  }
}

/**
 * The same browser for somebody else, or for nobody yet, from the next address on: all that the one before has left in
 * it are the files that it need not load again.
 */
export async function handOver(page: Page, person?: Pick<Person, 'token'>): Promise<void> {
  await page.evaluate((token) => {
    localStorage.clear();
    sessionStorage.clear();
    // or the page's first script would sign in the one before
    sessionStorage.setItem('prepared', 'yes');
    localStorage.setItem('theme', 'light');
    if (token) localStorage.setItem('token', token);
  }, person?.token);
}

const isDark = (page: Page) => page.evaluate(() => document.documentElement.classList.contains('dark'));

async function show(page: Page, [theme, width, height]: typeof LIGHT_DESK | typeof DARK_PHONE): Promise<void> {
  await page.setViewportSize({ width, height });
  if ((await isDark(page)) !== (theme === 'dark'))
    await page.getByRole('button', { name: new RegExp(`^(Use the )?${theme} theme$`, 'i') }).click();
}
