import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { readConfig, settingNames } from './config.ts';
import { unknownSettings } from './unknown-settings.ts';

describe('a setting that nobody reads', () => {
  it.each([
    ['TONEROW_TRUSTPROXY', 'TONEROW_TRUST_PROXY'],
    ['TONEROW_TRUST_PROXIES', 'TONEROW_TRUST_PROXY'],
    ['TONEROW_SERCET', 'TONEROW_SECRET'],
    ['TONEROW_POOLSIZE', 'TONEROW_POOL_SIZE'],
    ['TONEROW_METRICS_PROT', 'TONEROW_METRICS_PORT'],
    ['S3_ACCESS_KEYID', 'S3_ACCESS_KEY_ID'],
    ['SMTP_URI', 'SMTP_URL'],
  ])('%s is complained about, with the one that was meant', (name, meant) => {
    expect(readConfig({ [name]: 'x' }).complaints).toEqual([
      `${name} is set, but is no setting of the server. Did you mean ${meant}?`,
    ]);
  });

  it('that is like none is complained about as well', () => {
    expect(readConfig({ TONEROW_QUANTUM_FLUX: '1' }).complaints).toEqual([
      'TONEROW_QUANTUM_FLUX is set, but is no setting of the server. docs/operations.md lists all of them.',
    ]);
  });

  it.each([
    'S3_USE_PATH_STYLE',
    'SMTP_PASSWORD_FILE',
    'STRIPE_ACCOUNT',
    'PATH',
    'NODE_ENV',
    'TONEROW_URL',
    'TONEROW_ID_TOKEN_3',
  ])('with a name of somebody else’s, %s, is nobody’s business', (name) =>
    expect(readConfig({ [name]: 'x' }).complaints).toEqual([]),
  );

  it('is none of those that the server reads', () => {
    expect(settingNames.length).toBeGreaterThan(40);
    const all = Object.fromEntries(settingNames.map((name) => [name, 'x']));
    expect(unknownSettings(all, settingNames)).toEqual([]);
  });

  it('is none of those that the terminal client, what is deployed, or the tests read', () => {
    // variables given to compilers of the plugin are not settings
    const places = [
      'packages/cli/src',
      'packages/cli/bin',
      'deploy',
      'scripts',
      ':!scripts/plugin',
      'docs/*.md',
      'test/support',
    ];
    const used = execaSync('git', ['grep', '-ohE', 'TONEROW_[A-Z0-9_]*[A-Z0-9]', '--', ...places], { lines: true });
    const names = [...new Set(used.stdout)].filter(
      (name) => !INVENTED.has(name) && !settingNames.some((known) => known.startsWith(`${name}_`)),
    );
    expect(names.length).toBeGreaterThan(20);
    expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])), settingNames)).toEqual([]);
  });
});

/** A variable that does not exist, and those for compilers of examples. */
const INVENTED = new Set(['TONEROW_NO_SUCH_SECRET', 'TONEROW_PASSWORD', 'TONEROW_USE_OPENSSL', 'TONEROW_USE_SODIUM']);
