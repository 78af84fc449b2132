import { defineCommand } from '#define/define-command.ts';
import { counted, list, table } from '#output/table.ts';

const dollars = (amount: number | null) => (amount === null ? '–' : `$${amount.toFixed(2)}`);

export const importsProof = defineCommand({
  path: 'imports proof',
  summary: 'Compare an import with its file, by count and by month',
  operations: ['getImportProof'],
  args: [['<id>', 'from "tonerow imports list"']],
  options: {},
  examples: ['tonerow imports proof 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const api = await context.api();
    const proof = await api.getImportProof({ path: { id } }, context.call);
    const { file, imported, here, months, reasons } = proof;
    const figures = list([
      ['File', proof.import.file_name],
      ['Lines', file.lines],
      ['Added', imported.added],
      ['Known already', imported.known],
      ['Rejected', imported.rejected],
      ['Here now', here.count],
      ['In the file', dollars(file.amount)],
      ['Here', dollars(here.amount)],
      ['Open', here.open],
      ['Redeemed', here.redeemed],
      ['Revoked', here.revoked],
    ]);
    const byMonth =
      months.length === 0
        ? ''
        : `\n${table(
            ['Month', 'In the file', 'Here', 'Amount in the file', 'Amount here'],
            months.map(({ month, file_count, count, file_amount, amount }) => [
              ...[month, String(file_count), String(count)],
              ...[dollars(file_amount), dollars(amount)],
            ]),
          )}`;
    await context.print(proof, `${proof.summary}\n\n${figures}${byMonth}`);
    for (const { reason, count } of reasons) context.note(`  ${counted(count, 'line')}: ${reason}`);
    context.note(proof.whole ? 'Everything is here.' : 'Something is not here: compare the figures.');
  },
});
