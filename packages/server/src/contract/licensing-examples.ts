import type { Example } from './example.ts';

const license_key = 'PRSM-7K4Q-9XWT-2HBC';
const machine_id = 'L896D48A88';
const product_id = '019cd0a0-0000-7000-8000-000000000001';
const validation_token = 'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCIsImtpZCI6IjdhZjMifQ.eyJzdWIiOiIwMTljZDBhMCJ9.OhE0q5HfD3Yu';
const active = { ok: true, status: 'active', validation_token, max_activations: 3, remaining: 2 };
const refused = (status: string, error: string) => ({ ok: false, status, error });
const revoked = refused('revoked', 'This license has been revoked.');
const notFound = refused('not_found', 'License not found.');

export const licensingExamples: Record<string, Example> = {
  activateLicense: {
    request: {
      license_key,
      machine_id,
      product_id,
      email: 'nina@example.com',
      label: 'Studio Mac',
      os: 'macOS 26.1',
      version: '1.4.0',
    },
    answers: {
      200: active,
      403: revoked,
      404: notFound,
      409: refused('seat_limit', 'All activations of this license are in use. Deactivate another machine first.'),
    },
  },
  validateLicense: {
    request: { license_key, machine_id, product_id, version: '1.4.0' },
    answers: {
      200: active,
      403: revoked,
      404: notFound,
      409: refused('not_activated', 'This license is not activated on this machine.'),
    },
  },
  deactivateLicense: {
    request: { license_key, machine_id },
    answers: { 200: { ok: true, status: 'deactivated', max_activations: 3, remaining: 3 }, 404: notFound },
  },
  transferLicense: {
    request: { license_key, old_machine_id: machine_id, machine_id: 'L896D48A99', validation_token },
    answers: {
      200: active,
      403: refused('invalid_token', 'The validation token does not belong to this license on this machine.'),
    },
  },
  startTrial: {
    request: { product_id, machine_id, version: '1.4.0' },
    answers: {
      200: { ok: true, status: 'trial', validation_token, trial_ends_at: '2026-03-24T12:00:00.000Z' },
      403: refused('trial_expired', 'The trial on this machine is over.'),
      404: refused('no_trial', 'This product has no trial.'),
    },
  },
  getExpansionKey: {
    request: { license_key, machine_id, validation_token },
    answers: {
      200: {
        ok: true,
        status: 'active',
        serial_id: '019cd0a0-0000-7000-8000-00000000000a',
        expansion_key: 'pZ0mO7rV3kqYJ8tQk1hT0b7H3dJ9sLr5mW2cXyVn4aE',
      },
      409: refused('not_activated', 'This license is not activated on this machine.'),
    },
  },
  findPluginUpdate: {
    answers: {
      200: {
        ok: true,
        up_to_date: false,
        version: '1.5.0',
        notes: 'Presets load twice as fast.',
        link: 'https://licenses.example.com/redeem/ada',
        file: {
          name: 'PrismDelay-1.5.0.pkg',
          size: 48_000_000,
          sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
          signature: 'eyJhbGciOiJFZERTQSIsInR5cCI6InRvbmVyb3ctdXBkYXRlK2p3dCJ9.eyJhdWQiOiI…',
        },
      },
    },
  },
  startLicenseDevice: {
    request: { product_id, machine_id, label: 'Studio Mac', os: 'macOS 26.1', version: '1.4.0' },
    answers: {
      200: {
        ok: true,
        status: 'pending',
        device_code: 'tnr_lic_4vKq8sZ2mTn6Lb0XyRw3PdHc7FgJ1aQeU9kM2x',
        user_code: 'BCDF-GHJK',
        verification_uri: 'https://licenses.example.com/redeem?dev=019cd0a0-0000-7000-8000-0000000000a1#device',
        verification_uri_complete:
          'https://licenses.example.com/redeem?dev=019cd0a0-0000-7000-8000-0000000000a1#device=BCDF-GHJK',
        qr: ['11111110…', '10000010…', '10111010…'],
        expires_in: 900,
        interval: 5,
      },
      404: refused('not_found', 'Product not found.'),
    },
  },
  finishLicenseDevice: {
    request: { device_code: 'tnr_lic_4vKq8sZ2mTn6Lb0XyRw3PdHc7FgJ1aQeU9kM2x', machine_id, product_id },
    answers: {
      200: { ...active, license_key },
      400: refused('pending', 'Not confirmed in the browser yet.'),
      403: refused('denied', 'This was denied in the browser.'),
      409: refused('seat_limit', 'All activations of this license are in use. Deactivate another machine first.'),
    },
  },
  sendSeatCode: {
    request: { license_key, machine_id, product_id },
    answers: { 200: { ok: true, status: 'code_sent' } },
  },
  listLicenseSeats: {
    request: { license_key, machine_id, product_id, email_code: 'BCDF-GHJK' },
    answers: {
      200: {
        ok: true,
        status: 'seats',
        seats: [
          {
            id: '019cd0a0-0000-7000-8000-0000000000d1',
            name: 'Studio Mac',
            os: 'macOS 26.1',
            version: '1.4.0',
            machine: 'L896D48A',
            last_seen_at: '2026-03-09T08:00:00.000Z',
            leased_until: null,
            is_this: false,
          },
        ],
        max_activations: 1,
        remaining: 0,
      },
      403: refused('code_required', 'A code from the email to the owner of this license is required for that.'),
    },
  },
  releaseLicenseSeat: {
    request: {
      license_key,
      machine_id,
      product_id,
      email_code: 'BCDF-GHJK',
      seat_id: '019cd0a0-0000-7000-8000-0000000000d1',
    },
    answers: {
      200: { ok: true, status: 'deactivated', max_activations: 1, remaining: 1 },
      403: refused('code_expired', 'The code is wrong or too old. Start again.'),
      409: refused('not_activated', 'This seat is not in use.'),
    },
  },
  getLicenseTime: {
    answers: { 200: { ok: true, time: '2026-03-10T12:00:00.250Z', unix: 1_773_144_000, iso: '2026-03-10T12:00:00Z' } },
  },
  getLicenseKeys: {
    answers: {
      200: {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: 'w3OuSW3mwLxZu26QxctIl6Pc-R_ib78WRdsAr5AZUpE',
            kid: '7af3',
            alg: 'EdDSA',
            use: 'sig',
          },
        ],
      },
    },
  },
  createKeyFile: {
    request: { license_key, machine_ids: machine_id, product_id, email: 'nina@example.com' },
    answers: { 200: 'Keyfile for Prism Delay\nUser: Nina Simone\nEmail: nina@example.com\n…', 404: notFound },
  },
  createOfflineLicense: {
    request: {
      license_key,
      machine_file: `{"machine_id":"${machine_id}","device":"Studio Mac"}`,
      email: 'nina@example.com',
    },
    answers: { 200: validation_token, 404: notFound },
  },
  releaseOfflineLicense: {
    request: {
      release: `{"release":"…","serial_id":"019cd0a0-0000-7000-8000-00000000000a","product_id":"${product_id}"}`,
    },
    answers: {
      200: { ok: true, status: 'deactivated' },
      404: refused('not_found', 'This release file does not belong to a license file of ours.'),
      409: refused('leased', 'An earlier license file of this computer works until 2026-06-08.'),
    },
  },
};
