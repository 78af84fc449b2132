import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { inject } from 'vitest';
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

/**
 * The lines whose packages npm has installed on a runner. The workflows of a worker share them, because each costs
 * seconds.
 */
const installed = new Set<string>();

/** Gives the steps of a runner a prefix of their own for what npm installs. */
export async function openRunner(terminal: Terminal): Promise<Environment> {
  const { home, file } = terminal;
  const shared = path.join(inject('folder'), `runner-${process.pid}`);
  const npm = {
    ...terminal.environment(),
    npm_config_prefix: path.join(shared, 'prefix'),
    npm_config_cache: path.join(shared, 'npm'),
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  await mkdir(shared, { recursive: true });
  return {
    ...npm,
    PATH: `${path.join(shared, 'prefix/bin')}${path.delimiter}${npm.PATH}`,
    GITHUB_STEP_SUMMARY: file('summary.md'),
    RUNNER_TEMP: home,
  };
}

/** Runs the shell steps one after the other, as a runner would; answers what they said. */
export async function runSteps(steps: Step[], environment: Environment, folder: string): Promise<string> {
  let output = '';
  for (const { run } of steps) {
    if (!run || installed.has(run)) continue;
    output += `${await command('bash', ['-euo', 'pipefail', '-c', run], environment, folder)}\n`;
    if (run.startsWith('npm install')) installed.add(run);
  }
  return output;
}

async function command(name: string, args: string[], env: Environment, cwd: string): Promise<string> {
  return (await execa(name, args, { env, extendEnv: false, cwd, stdin: 'ignore', all: true })).all;
}
