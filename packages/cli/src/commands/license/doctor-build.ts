import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure, PartialError } from '#exit.ts';
import { table } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { attackChecks, licensedChecks } from './build-checks/attack-checks.ts';
import { binaryChecks } from './build-checks/binary-checks.ts';
import { type BuildCheck, type Finding, fail, type Result } from './build-checks/check.ts';
import { startFalseServer } from './build-checks/false-server.ts';
import { findBuild } from './build-checks/found-build.ts';
import { LicenseCheck } from './build-checks/license-check.ts';
import { MORE, notHere } from './build-checks/not-here.ts';
import { settingsChecks } from './build-checks/settings-checks.ts';

interface Row {
  check: number | null;
  what: string;
  result: Result;
  found: string;
  advice: string;
}

const MARK: Record<Result, string> = { pass: 'ok', fail: 'BAD', not_run: 'not run' };

/** A program that does not answer has failed this check, and not the others. */
function crashed(error: unknown): Finding {
  if (error instanceof Failure && error.code === 'build_failed') return fail(error.message);
  throw error;
}

/** Checks a developer's own build: its settings against the server, what it does when it is attacked, and its compiled files. */
export async function doctorBuild(context: Context, place: string, serial: string | undefined): Promise<void> {
  const build = await findBuild(place);
  const rows: Row[] = [];
  const runAll = async (checks: readonly BuildCheck[]) => {
    for (const { run, ...check } of checks) {
      const [result, found] = await Promise.resolve(run()).catch(crashed);
      rows.push({ check: check.check, what: check.what, result, found, advice: check.advice });
    }
  };
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-doctor-'));
  const liar = await startFalseServer();
  try {
    const { signal, env } = context.io;
    const check = build.program ? new LicenseCheck(build.program, env, signal) : undefined;
    const about = await check?.about();
    if (check && about) {
      const bench = { check, about, liar, folder, serial };
      await runAll(await settingsChecks(context, about));
      await runAll(attackChecks(bench));
      await runAll(licensedChecks(bench, about.server));
    } else context.note('There is no license-check in it: only the compiled files are looked at.');
    await runAll(binaryChecks(build, about, signal));
  } finally {
    await liar.close();
    await rm(folder, { recursive: true, force: true });
  }
  const tried = new Set(rows.map((row) => row.check));
  await runAll(notHere.filter(({ check }) => !tried.has(check)));
  const human = rows.map((row) => [
    MARK[row.result],
    row.check ?? '',
    row.what,
    row.found,
    // in other rows, the finding already names what is missing
    row.result === 'fail' || row.found === MORE ? row.advice : '',
  ]);
  await context.print(rows, table(['', 'CHECK', 'WHAT', 'FOUND', 'WHAT TO DO'], human));
  const count = (result: Result) => rows.filter((row) => row.result === result).length;
  const summary = `${count('pass')} passed, ${count('fail')} failed, ${count('not_run')} not run.`;
  if (count('fail') > 0) throw new PartialError(summary);
  context.note(summary);
}
