import { defineCommand } from '../../define-command.ts';
import { PartialError } from '../../exit.ts';
import { readTextFile } from '../../local-file.ts';
import { money } from '../../output/table.ts';

export const payoutsVerify = defineCommand({
  path: 'payouts verify',
  summary: 'Recount statements from their CSV files, offline',
  operations: [],
  args: [
    ['<file...>', 'CSV files from "tonerow payouts export"; of several months, also that nothing is between them'],
  ],
  examples: ['tonerow payouts verify statement-2026-0007.csv', 'tonerow payouts verify 2026/*.csv --json'],
  async run({ context, args: files }) {
    const { verifyStatement } = await import('@tonerow/sdk');
    const results: ({ file: string } & Awaited<ReturnType<typeof verifyStatement>>)[] = [];
    for (const file of files) results.push({ file, ...(await verifyStatement(await readTextFile(file))) });
    const known = new Set(results.flatMap(({ statement }) => (statement ? [statement.digest] : [])));
    const lines = results.map((result) => {
      const { file, statement } = result;
      if (!result.valid) return `${file}: NOT VALID\n${result.problems.map((problem) => `  ${problem}\n`).join('')}`;
      const { number, month, redemptions, due, digest, previousDigest } = result.statement;
      const follows = previousDigest && known.has(previousDigest) ? '; follows the statement before' : '';
      return `${file}: valid. Statement ${number} for ${month}, ${redemptions} redemptions, ${money(due)} due${follows}.\n  ${statement ? digest : ''}\n`;
    });
    await context.print(results, lines.join(''));
    const wrong = results.filter(({ valid }) => !valid).length;
    if (wrong > 0) throw new PartialError(`${wrong} of ${results.length} files are not valid.`);
  },
});
