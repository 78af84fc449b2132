import type { Example } from './example.ts';

const request = (body: unknown): Example => ({ request: body, answers: {} });
const serial = 'PRSM-7K2M-Q9XD-3F6T';
const email = 'nina@example.com';
const machine = '5f2b8c1d90aa47e3';
const opened = { token: 'the token of the opened downloads' };
const download = { download_token: 'the token of the opened downloads' };

/** Requests of customers, requests of plugins of other license formats for them, and the data that is kept of them. */
export const customerExamples: Record<string, Example> = {
  initiateRedemption: request({ serial, email }),
  completeRedemption: request({ temp_token: 'the temp_token of the answer', first_name: 'Nina', last_name: 'Simone' }),
  requestMyProducts: request({ email }),
  openMyProducts: request({ token: 'the token of the link' }),
  requestOrder: request({ order: '1042', email }),
  openOrder: request({ token: 'the token of the link' }),
  listRedeemedProducts: request(download),
  findDeviceCode: request({ user_code: 'BCDF-GHJK' }),
  listDeviceSerials: request({ user_code: 'BCDF-GHJK', token: 'the token of the link' }),
  confirmDeviceCode: request({ user_code: 'BCDF-GHJK', token: 'the token of the link', serial }),
  denyDeviceCode: request({ user_code: 'BCDF-GHJK' }),
  releaseMachine: request({ ...opened, machine_id: '019cd0a0-0000-7000-8000-0000000000d1' }),
  requestHelp: request({ ...download, serial, message: 'My studio computer was stolen.' }),
  createOwnOfflineLicense: request({ ...opened, serial, machine_file: 'the text of the machine file' }),
  releaseOwnOfflineLicense: request({ ...opened, serial, release: 'the text of the release file' }),
  changeCustomer: request({ first_name: 'Nina', last_name: 'Simone' }),
  addCustomerNote: request({ text: 'Has one more seat, for a laptop.' }),
  juceUnlock: request({ product: 'Prism Delay', email, pw: serial, os: 'Mac', mach: machine }),
  hiseActivate: request({ key: serial, instance_id: machine, device_label: 'Studio', plugin_version: '1.4.2' }),
  hiseValidate: request({ key: serial, instance_id: machine, plugin_version: '1.4.2' }),
  hiseDeactivate: request({ key: serial, instance_id: machine }),
};
