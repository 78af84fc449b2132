import path from 'node:path';
import { embeddedUrl } from '#platform/db/embedded/embedded-postgres.ts';
import { VERSION } from '#platform/version.ts';
import { type Config, ConfigError, type Env, readConfig } from '../config.ts';
import { secretsIn } from '../secrets/secrets-file.ts';
import { diagnose } from './doctor.ts';
import { exitCodeOf, type Finding, failed, wordsOf } from './finding.ts';

interface Request {
  json: boolean;
  env: Env;
  write: (text: string) => void;
}

/** `tonerow-server doctor [--json]`. @returns the exit code: 0 when there is nothing to do, 1 when something failed, 2 for warnings. */
export async function runDoctor({ json, env, write }: Request): Promise<number> {
  const findings = await find(env);
  const code = exitCodeOf(findings);
  write(json ? `${JSON.stringify(report(findings), null, 2)}\n` : inWords(findings));
  return code;
}

/** Each setting that is refused, with why. */
function refusedSettings(error: unknown): Finding[] {
  const [head = '', ...each] = error instanceof ConfigError ? error.message.split('\n') : [wordsOf(error)];
  return (each.length > 0 ? each : [head]).map((line) => ({
    check: 'settings',
    ...failed(line.trim(), 'Correct it. docs/operations.md lists all settings.'),
  }));
}

/** Finds everything. A problem that keeps everything else from being looked at is the only finding. */
async function find(env: Env): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    return refusedSettings(error);
  }
  const dataDir = path.resolve(config.dataDir);
  let databaseUrl: string | null;
  try {
    databaseUrl = config.databaseUrl ?? (await embeddedUrl(dataDir));
  } catch (error) {
    const todo = 'Run this as the account that the server runs as, with its settings.';
    return [{ check: 'database', ...failed(wordsOf(error), todo) }];
  }
  if (!databaseUrl)
    return [
      {
        check: 'database',
        ...failed(`No server has run on ${dataDir} yet.`, 'Start it first, or set TONEROW_DATA_DIR.'),
      },
    ];
  const { secrets, withoutSecrets } = await secretsFor(config, dataDir);
  const embedded = config.databaseUrl === undefined;
  return diagnose({ config: { ...config, dataDir, databaseUrl, secrets }, withoutSecrets, embedded });
}

/** Those that are set or were made; or why there are none, which keeps nothing else from being looked at. */
async function secretsFor(config: Config, dataDir: string): Promise<{ secrets: string[]; withoutSecrets?: string }> {
  try {
    return { secrets: config.secrets ?? (await secretsIn(dataDir)) };
  } catch (error) {
    return { secrets: [], withoutSecrets: wordsOf(error) };
  }
}

const count = (findings: readonly Finding[], state: Finding['state']) =>
  findings.filter((finding) => finding.state === state).length;

const report = (findings: readonly Finding[]) => ({
  version: VERSION,
  failed: count(findings, 'failed'),
  warnings: count(findings, 'warning'),
  findings,
});

function inWords(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, state, found, todo }) => [
    `${state.padEnd(8)} ${check.padEnd(9)} ${found}`,
    ...(todo ? [`${' '.repeat(19)}${todo}`] : []),
  ]);
  const [bad, warned] = [count(findings, 'failed'), count(findings, 'warning')];
  const end =
    bad + warned === 0 ? 'Nothing to do.' : `${bad} failed, ${warned} ${warned === 1 ? 'warning' : 'warnings'}.`;
  return `${[...lines, '', end].join('\n')}\n`;
}
