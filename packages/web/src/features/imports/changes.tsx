import { formatCount } from '#lib/format/format.ts';
import type { ImportCheck } from '#lib/types.ts';
import { Tag } from '#ui/badge.tsx';
import { Panel } from '#ui/page.tsx';
import { Parts } from '#ui/parts.tsx';
import { cellWords } from './words.ts';

type Found = NonNullable<ImportCheck['changes']>;

const words = { changed: 'Changed', new: 'New', gone: 'Gone' } as const;
const tones = { changed: 'accent', new: 'good', gone: 'warn' } as const;

/** The lines that a corrected file changes of the import that it corrects. */
export function Changes({ changes }: { changes: Found }) {
  const { same, changed, gone, rows } = changes;
  const all = changed + changes.new + gone;
  return (
    <section aria-label="What it changes">
      <h2 className="mb-1 font-semibold">What it changes</h2>
      <p className="figures mb-3 text-sm text-muted">
        <Parts
          of={[
            `${formatCount(changed)} changed`,
            `${formatCount(changes.new)} new`,
            `${formatCount(gone)} gone`,
            `${formatCount(same)} the same`,
          ]}
        />
      </p>
      {rows.length > 0 ? (
        <Panel>
          <ul className="divide-y divide-line">
            {rows.map(({ what, change, fields }) => (
              <li key={what} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-5 py-3">
                <span className="font-mono text-sm wrap-anywhere">{what}</span>
                <Tag tone={tones[change]}>{words[change]}</Tag>
                <span className="figures min-w-0 basis-full text-sm text-muted wrap-anywhere">
                  {fields.map(({ column, before, after }) => (
                    <span key={column} className="block">
                      {column}: <del>{cellWords(column, before)}</del> → {cellWords(column, after)}
                    </span>
                  ))}
                </span>
              </li>
            ))}
          </ul>
          {rows.length < all ? (
            <p className="figures border-t border-line px-5 py-3 text-sm text-muted">
              The first {formatCount(rows.length)} of {formatCount(all)}
            </p>
          ) : null}
        </Panel>
      ) : null}
    </section>
  );
}
