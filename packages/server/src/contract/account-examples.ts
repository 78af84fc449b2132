import type { Example } from './example.ts';

const request = (body: unknown): Example => ({ request: body, answers: {} });
const person = {
  first_name: 'Ada',
  last_name: 'Rowe',
  email: 'ada@rowaudio.example',
  password: 'a long sentence to keep',
};
const password = { password: person.password };
const email = { email: person.email };
const token = { token: 'the token of the link' };
const DEVICE_CODE = 'tnr_dvc_7Qm2vK9xTbR4cWnJ8sLfYhGdZpA3eU6oXk1B';
const userCode = { user_code: 'BCDF-GHJK' };
const trust = { trust: '019cd0a0-0000-7000-8000-0000000000a3' };
const look = { brand_color: '#4f46e5', dark_mode: true, support_email: 'help@rowaudio.example' };

/** What developers and resellers send about themselves. */
export const accountExamples: Record<string, Example> = {
  registerDeveloper: request({ ...person, company_name: 'Row Audio', time_zone: 'Europe/Berlin' }),
  registerReseller: request({
    ...{ first_name: 'Ben', last_name: 'Hart', email: 'ben@pluginshop.example', password: person.password },
    company_name: 'Plugin Shop',
    time_zone: 'America/New_York',
  }),
  login: request({ email: person.email, ...password }),
  startDeviceSignIn: request({ machine: 'build-07' }),
  finishDeviceSignIn: request({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: DEVICE_CODE,
  }),
  findDeviceSignIn: request(userCode),
  approveDeviceSignIn: request(userCode),
  denyDeviceSignIn: request(userCode),
  exchangeIdentityToken: request({ ...trust, token: 'the identity token of the job' }),
  updateTrust: request({ branch: null, environment: 'production' }),
  forgotPassword: request(email),
  resetPassword: request({ ...token, ...password }),
  resendVerification: request(email),
  verifyEmail: request(token),
  updatePassword: request({ oldPassword: person.password, newPassword: 'another long sentence' }),
  setUpTwoFactor: request(password),
  enableTwoFactor: request({ code: '492039' }),
  disableTwoFactor: request({ ...password, code: '492039' }),
  renewRecoveryCodes: request(password),
  revokeSession: request({ id: '019cd0a0-0000-7000-8000-0000000000a1' }),
  deleteAccount: request(password),
  createAccountArchive: request({ ...password, passphrase: 'another long sentence' }),
  updateAccountSettings: request({ support_email: 'help@rowaudio.example', low_serials_threshold: 50 }),
  updateResellerSettings: request({ company_name: 'Plugin Shop', notify_deals: true }),
  hideFirstSteps: request({ hidden: true }),
  readNotifications: request({ until: '019cd0a0-0000-7000-8000-0000000000a2' }),
  createView: request({ list: 'redeemed', name: 'This spring', filter: { batch_tag: 'spring' } }),
  changeView: request({ name: 'Last spring' }),
  unsubscribe: request({ token: 'the token of the email' }),
  updateBranding: request(look),
  updateBrandingSettings: request({ ...look, send_customer_emails: true }),
  setCustomDomain: request({ domain: 'licenses.rowaudio.example' }),
  subscribe: request({ plan_id: 'starter', dry_run: true }),
  sendAnnouncement: request({
    subject: 'Maintenance on Sunday',
    body: 'The dashboard is read-only from 6 to 7 UTC.',
    audience: 'everybody',
  }),
  createWebhook: request({ url: 'https://shop.example.com/tonerow', events: ['serial.redeemed', 'license.*'] }),
  updateWebhook: request({ events: ['*'], enabled: true }),
  testWebhook: request({ type: 'serial.redeemed' }),
  replayWebhook: request({ since: '2026-03-10T12:00:00Z', state: 'failed' }),
  rotateWebhookSecret: request({ overlap_hours: 24 }),
  triggerWebhookEvent: request({ type: 'serial.redeemed' }),
  createWebhookListener: request({ events: ['serial.*'] }),
};
