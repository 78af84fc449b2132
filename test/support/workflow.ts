import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';
import type { openTerminal } from './terminal.ts';

type Environment = Record<string, string>;

interface Step {
  run?: string;
  uses?: string;
  with?: Record<string, string>;
}

type Terminal = Awaited<ReturnType<typeof openTerminal>>;

/** The steps of a documented workflow's job. */
export async function readSteps(file: string, job: string): Promise<Step[]> {
  return parse(await readFile(file, 'utf8')).jobs[job].steps;
}

/** What a runner gives its steps: a prefix of its own for what npm installs, and the packed client to install there. */
export async function openRunner(terminal: Terminal): Promise<Environment> {
  const { home, file } = terminal;
  const npm = { ...terminal.environment(), npm_config_prefix: file('prefix'), npm_config_cache: file('npm') };
  // as it is built: other tests use it meanwhile
  const packing = ['pack', '--workspace', 'packages/cli', '--pack-destination', home, '--silent', '--ignore-scripts'];
  const packed = (await command('npm', packing, npm, process.cwd())).trim();
  return {
    ...npm,
    PATH: `${file('prefix')}/bin${path.delimiter}${npm.PATH}`,
    TONEROW_CLI: file(packed.split('\n').at(-1) as string),
    GITHUB_STEP_SUMMARY: file('summary.md'),
    RUNNER_TEMP: home,
  };
}

/** Runs the shell steps one after the other, as a runner would; answers what they said. */
export async function runSteps(steps: Step[], environment: Environment, folder: string): Promise<string> {
  let said = '';
  for (const { run } of steps)
    if (run) said += await command('bash', ['-euo', 'pipefail', '-c', run], environment, folder);
  return said;
}

async function command(name: string, args: string[], env: Environment, cwd: string): Promise<string> {
  return (await execa(name, args, { env, extendEnv: false, cwd, stdin: 'ignore', all: true })).all;
}
