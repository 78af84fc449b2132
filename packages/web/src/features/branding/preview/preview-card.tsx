import { codeBlocks } from '#lib/format/format.ts';
import type { Words } from '#lib/redeem-texts/words.ts';
import { cn } from '#ui/cn.ts';
import { primaryClass } from './preview-classes.ts';

export interface SampleProduct {
  name: string;
  picture: string | null;
}

interface PreviewCardProps extends SampleProduct {
  code: string;
  used: number;
  words: Words;
}

const LIMIT = 5;

export function PreviewCard({ name, picture, code, used, words }: PreviewCardProps) {
  const { t, count } = words;
  const full = used >= LIMIT;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      {picture ? (
        <img src={picture} alt="" className="h-[140px] w-full object-cover" />
      ) : (
        <div className="grid h-[88px] place-items-center bg-sunken text-[36px] font-[620] text-(--brand-text)">
          {[...name.trim()][0]}
        </div>
      )}
      <div className="p-5">
        <div className="flex items-start justify-between gap-3">
          <div className="line-clamp-3 min-w-0 text-lg leading-[1.3] font-semibold tracking-[-0.015em] wrap-anywhere">
            {name}
          </div>
          <span
            className={cn(
              'shrink-0 rounded-full px-2.5 py-[3px] text-xs font-[550]',
              full ? 'bg-warn-soft text-warn' : 'bg-good-soft text-good',
            )}
          >
            {full ? t.limitReached : t.active}
          </span>
        </div>
        <div className="mt-2 flex items-center justify-between gap-3">
          <code className="flex flex-wrap gap-x-2 font-mono text-[15.75px] font-medium">
            {codeBlocks(code).map((block) => (
              <span key={block}>{block}</span>
            ))}
          </code>
          <span className="grid h-11 min-w-[76px] shrink-0 place-items-center px-3 rounded-md border border-line-strong text-base">
            {t.copy}
          </span>
        </div>
        {full ? <Obstacle words={words} /> : <Files />}
        <div className="figures mt-4 flex flex-wrap gap-x-2 text-base text-muted">
          {t.downloads}
          <span className="text-text">
            {used}/{LIMIT}
          </span>
          {full ? null : <span>{count(t.left, LIMIT - used)}</span>}
        </div>
        {full ? null : <div className="mt-3 flex h-11 items-center text-base text-(--brand-text)">{t.install}</div>}
      </div>
    </div>
  );
}

function Files() {
  return (
    <div className="mt-5 flex gap-2 text-base">
      {['macOS', 'Windows'].map((file) => (
        <span key={file} className={cn('grid h-11 place-items-center px-5', primaryClass)}>
          {file}
        </span>
      ))}
    </div>
  );
}

/** Covers the files when they are not available. */
function Obstacle({ words: { t } }: { words: Words }) {
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-3 rounded-md bg-warn-soft px-4 py-3 text-base font-[550] text-warn">
      {t.limitText}
      <span className="grid h-11 place-items-center rounded-md border border-current bg-surface px-4 text-text">
        {t.requestHelp}
      </span>
    </div>
  );
}
