import { verifyLicense } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { PartialError, UsageError } from '#exit.ts';
import { findProductId } from '#input/find-by-name.ts';
import { table } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { asPlugin, KEY } from './as-plugin.ts';
import { MACHINE, statusOf } from './status-of.ts';

interface Check {
  /** Names the attempt. */
  what: string;
  expected: string;
  /** Advises what a plugin does with this answer. */
  advice: string;
  ask: () => Promise<string>;
}

interface Question {
  api: OperationClient;
  /** A client with a plugin key that nobody has. */
  stranger: OperationClient;
  product: string | undefined;
  call: { signal: AbortSignal };
}

function checksOf({ api, stranger, product, call }: Question): Check[] {
  const asked = (client: OperationClient, license_key: string, machine_id: string) =>
    client.activateLicense(
      { body: { license_key, machine_id, product_id: product, email: 'doctor@example.com' } },
      { ...call, retries: 0 },
    );
  const activate = (client: OperationClient, license_key: string, machine_id = MACHINE) =>
    statusOf(asked(client, license_key, machine_id));
  /** The flaw of the token that comes with "active". A plugin has to find it by itself. */
  const flawOf = (license_key: string) =>
    statusOf(
      asked(api, license_key, MACHINE).then((answer) => {
        const { exp, aud } = claimsOf(answer.validation_token ?? '');
        if (!aud || !exp) return answer;
        if (exp * 1000 < Date.now()) return { status: 'active, expired token' };
        return { status: aud === product ? answer.status : 'active, other product' };
      }),
    );
  const test = (kind: string) => `TEST-${kind}-DOCT-ORAA`;
  return [
    {
      what: 'a serial that works',
      expected: 'active',
      advice: 'Unlock, and keep the token for the next start.',
      ask: () => activate(api, test('ACTV')),
    },
    {
      what: 'an expired serial',
      expected: 'expired',
      advice: 'Explain it, and how to get a new one.',
      ask: () => activate(api, test('EXPD')),
    },
    {
      what: 'a revoked serial',
      expected: 'revoked',
      advice: 'Lock, and show how to contact support.',
      ask: () => activate(api, test('RVKD')),
    },
    {
      what: 'no seat left',
      expected: 'seat_limit',
      advice: 'Offer to deactivate another machine.',
      ask: () => activate(api, test('FULL')),
    },
    {
      what: 'a token that has expired',
      expected: 'active, expired token',
      advice: 'Do not unlock: the token decides, not "active".',
      ask: () => flawOf(test('OLDT')),
    },
    {
      what: 'a token for another product',
      expected: 'active, other product',
      advice: 'Do not unlock: the token decides, not "active".',
      ask: () => flawOf(test('WRNG')),
    },
    {
      what: 'an unknown serial',
      expected: 'not_found',
      advice: 'Ask the customer to check for typos.',
      ask: () => activate(api, 'NOBO-DYMA-DETH-ISXX'),
    },
    {
      what: 'a machine id with a separator',
      expected: 'invalid_request',
      advice: 'A bug in the plugin: never build ids this way.',
      ask: () => activate(api, test('ACTV'), 'a;b'),
    },
    {
      what: 'an invalid plugin key',
      expected: 'unauthorized',
      advice: 'A bug in the build: keep unlocked what was unlocked.',
      ask: () => activate(stranger, test('ACTV')),
    },
  ];
}

function claimsOf(token: string): { aud?: string; exp?: number } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}');
}

/** Checks with a real license whether its token verifies offline, for its own machine and product only. */
async function tokenChecks(context: Context, api: OperationClient, license_key: string, product: string | undefined) {
  const owner = await (await context.api()).getMe({}, context.call);
  const body = { license_key, machine_id: MACHINE, product_id: product };
  const { validation_token: token = '' } = await api.activateLicense({ body }, context.call).catch((error) => {
    if (error?.problem?.status === 'email_required')
      throw new UsageError(
        'This serial has not been redeemed, and the doctor should not redeem it. Use a redeemed one.',
      );
    throw error;
  });
  const jwks = await (await context.client()).getLicenseKeys({ query: { dev: owner.id } }, context.call);
  const right = { productId: product ?? claimsOf(token).aud ?? '', machineId: MACHINE };
  const reason = async (text: string, about: { productId: string; machineId: string; now?: Date }) => {
    const found = await verifyLicense(text, jwks, about);
    return found.valid ? 'valid' : found.reason;
  };
  await api.deactivateLicense({ body: { license_key, machine_id: MACHINE } }, context.call);
  const [head = '', payload = '', signature = ''] = token.split('.');
  const forged = `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  const century = new Date(Date.now() + 100 * 365 * 86_400_000);
  const rows: [string, string, Promise<string>, string][] = [
    ['its token, offline', 'valid', reason(token, right), 'Unlock without the network.'],
    [
      'on another machine',
      'wrong_machine',
      reason(token, { ...right, machineId: 'another' }),
      'Ask for the serial there.',
    ],
    [
      'for another product',
      'wrong_product',
      reason(token, { ...right, productId: crypto.randomUUID() }),
      'Do not unlock.',
    ],
    ['with a forged signature', 'signature', reason(forged, right), 'Do not unlock.'],
    ['when it has expired', 'expired', reason(token, { ...right, now: century }), 'Validate, with a grace period.'],
  ];
  return Promise.all(rows.map(async ([what, expected, got, advice]) => ({ what, expected, got: await got, advice })));
}

export const licenseDoctor = defineCommand({
  path: 'license doctor',
  summary: 'Request every license status and show how a plugin should handle it; --build checks a build of yours',
  operations: [],
  fields: ['what', 'expected', 'got', 'advice', 'check', 'result', 'found'],
  options: {
    build: text('<path>', 'the folder of a build, or a compiled plugin: what of the 30 checks can be run against it'),
    license: text('<serial>', 'a real serial with a free seat: its token is checked too (the seat is released again)'),
    product: text('<product>', 'the plugin’s product: id or name'),
    ...KEY,
  },
  examples: [
    'TONEROW_PLUGIN_KEY=$(tonerow keys create --test) tonerow license doctor',
    'tonerow license doctor --build prism-delay/build --license ABCD-EFGH-2345-6789',
  ],
  async run({ context, options }) {
    if (options.build !== undefined) {
      if (options.keyFile !== undefined || options.product !== undefined)
        throw new UsageError('A build brings its own key and product: leave out --key-file and --product.');
      const { doctorBuild } = await import('./doctor-build.ts');
      return doctorBuild(context, options.build, options.license);
    }
    const api = await asPlugin(context, options);
    const product = options.product ? await findProductId(context, options.product) : undefined;
    const stranger = await context.client('tnr_plg_nobody');
    const checks = checksOf({ api, stranger, product, call: context.call });
    const rows: { what: string; expected: string; got: string; advice: string }[] = [];
    for (const { ask, ...check } of checks) rows.push({ ...check, got: await ask() });
    if (options.license) rows.push(...(await tokenChecks(context, api, options.license, product)));
    const human = rows.map((row) => [
      row.got === row.expected ? 'ok' : 'BAD',
      row.what,
      row.expected,
      row.got,
      row.advice,
    ]);
    await context.print(rows, table(['', 'ASKED', 'EXPECTED', 'ANSWERED', 'A PLUGIN SHOULD'], human));
    const bad = rows.filter((row) => row.got !== row.expected);
    if (rows[0]?.got === 'unauthorized') context.note('This plugin key is unknown or inactive.');
    else if (bad[0]?.expected === 'active')
      context.note('Test serials that unlock need a key created with "keys create --test".');
    if (bad.length > 0) throw new PartialError(`${bad.length} of ${rows.length} responses are not as expected.`);
  },
});
