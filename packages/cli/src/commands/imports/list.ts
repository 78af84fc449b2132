import { defineCommand } from '#define/define-command.ts';
import { number } from '#define/option-types.ts';
import { table } from '#output/table.ts';

export const importsList = defineCommand({
  path: 'imports list',
  summary: 'List imports, newest first',
  operations: ['listImports'],
  options: {
    limit: number('<n>', 'how many', { fallback: '20' }),
  },
  examples: ['tonerow imports list --limit 5'],
  async run({ context, options }) {
    const api = await context.api();
    const limit = options.limit;
    const rows = await api.listImports({ query: { limit } }, context.call);
    const human = rows.map((row) => [
      row.id,
      row.kind,
      row.file_name,
      row.dry_run ? `${row.state} (dry run)` : row.state,
      row.count,
      row.rejected,
      row.started_at,
    ]);
    const head = ['ID', 'KIND', 'FILE', 'STATE', 'ADDED', 'REJECTED', 'STARTED'];
    await context.print(rows, rows.length === 0 ? 'No imports yet.\n' : table(head, human));
  },
});
