import type { StatementFigures, StatementVerdict } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { PartialError, UsageError } from '#exit.ts';
import { readTextFile } from '#input/local-file.ts';
import { money } from '#output/table.ts';

export const payoutsVerify = defineCommand({
  path: 'payouts verify',
  summary: 'Recount statements from their CSV files, offline; only --digest proves what was agreed',
  operations: [],
  args: [
    [
      '<file...>',
      'CSV files from "tonerow payouts export"; with several months, also checks that none is missing between them',
    ],
  ],
  options: {
    digest: text(
      '<hex>',
      'the digest that the other side holds; a file alone proves nothing, because whoever changes it can compute its digest again',
    ),
  },
  examples: [
    'tonerow payouts verify statement-2026-0007.csv',
    `tonerow payouts verify statement-2026-0007.csv --digest ${'5d'.repeat(32)}`,
    'tonerow payouts verify 2026/*.csv --json',
  ],
  async run({ context, args: files, options }) {
    const held = options.digest?.trim().toLowerCase();
    if (held !== undefined && !/^[0-9a-f]{64}$/.test(held))
      throw new UsageError('--digest takes the 64 hexadecimal digits of a statement’s digest.');
    if (held !== undefined && files.length !== 1)
      throw new UsageError('--digest is compared with one file. Verify each file on its own.');
    const { verifyStatement } = await import('@tonerow/sdk');
    const read: Checked[] = [];
    for (const file of files) {
      const verdict = await verifyStatement(await readTextFile(file));
      read.push({ file, problems: [], ...compared(verdict, held) });
    }
    const late = afterGaps(read);
    const results = read.map((result) => ({ ...result, previousMissing: late.has(result) }));
    await context.print(results, results.map((result) => lineOf(result, held !== undefined)).join(''));
    const wrong = results.filter(({ valid, previousMissing }) => !valid || previousMissing);
    if (wrong.length === 0) return;
    const gaps = wrong.filter(({ valid }) => valid).length;
    throw new PartialError(
      [
        wrong.length > gaps ? `${wrong.length - gaps} of ${results.length} files are not valid.` : '',
        gaps > 0 ? `${gaps} of ${results.length} files do not follow a valid one.` : '',
      ]
        .join(' ')
        .trim(),
    );
  },
});

type Checked = { file: string; problems: string[] } & StatementVerdict;

function compared(verdict: StatementVerdict, held: string | undefined): StatementVerdict {
  if (!verdict.valid || held === undefined || verdict.statement.digest === held) return verdict;
  return { ...verdict, valid: false, problems: ['Its digest is not the one given with --digest.'] };
}

/**
 * Within each partnership, the valid files whose statement before is not among the others. The earliest needs none. What a file
 * that is not valid calls its digest counts for nothing.
 */
function afterGaps(results: readonly Checked[]): Set<Checked> {
  const late = new Set<Checked>();
  const partnerships = new Map<string, [Checked, StatementFigures][]>();
  for (const result of results) {
    if (!result.valid) continue;
    const { developerId, resellerId } = result.statement;
    const key = `${developerId} ${resellerId}`;
    partnerships.set(key, [...(partnerships.get(key) ?? []), [result, result.statement]]);
  }
  for (const chain of partnerships.values()) {
    const digests = new Set(chain.map(([, { digest }]) => digest));
    const [, earliest] = chain.reduce((first, next) => (next[1].month < first[1].month ? next : first));
    for (const [result, { digest, previousDigest }] of chain)
      if (digest !== earliest.digest && !(previousDigest && digests.has(previousDigest))) late.add(result);
  }
  return late;
}

function lineOf(result: Checked & { previousMissing: boolean }, isCompared: boolean): string {
  const { file, valid, statement, problems, previousMissing } = result;
  if (!valid) return `${file}: NOT VALID\n${problems.map((problem) => `  ${problem}\n`).join('')}`;
  const { number, month, redemptions, due, digest, developerId, resellerId } = statement;
  return [
    `${file}: ${previousMissing ? 'the statement before it is missing' : 'valid'}.`,
    ` Statement ${number} for ${month}, ${redemptions} redemptions, ${money(due)} due.\n`,
    `  developer ${developerId}, reseller ${resellerId}\n`,
    `  ${digest}${isCompared ? ', as held by the other side' : ''}\n`,
  ].join('');
}
