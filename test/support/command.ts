import { spawn } from 'node:child_process';
import path from 'node:path';

export interface Outcome {
  code: number | null;
  output: string;
}

/** Runs one of the project's tools with the Node that runs the tests. */
export async function tool(script: string, ...args: string[]): Promise<Outcome> {
  return run(process.execPath, [path.resolve(script), ...args]);
}

export async function run(command: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
