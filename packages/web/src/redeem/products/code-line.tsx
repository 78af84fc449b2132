import { Fragment, useEffect, useRef, useState } from 'react';
import { blocksOf } from '../steps/code-format.ts';
import { useWords } from '../words.tsx';

const COPIED_FOR = 2000;

export function CodeLine({ code }: { code: string }) {
  const { t } = useWords();
  const [copied, setCopied] = useState(false);
  const element = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
    } catch {
      // not allowed here: marked, so that it takes one more touch
      if (element.current) window.getSelection()?.selectAllChildren(element.current);
      return;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_FOR);
  };

  const blocks = blocksOf(code);
  return (
    <div className="code-line">
      <code ref={element} dir="ltr" translate="no">
        {blocks.map((block, index) => (
          <Fragment key={index}>
            <span className={block.length > 8 ? undefined : 'block'}>{block}</span>
            {index < blocks.length - 1 ? <i>-</i> : null}
          </Fragment>
        ))}
      </code>
      <button type="button" className="copy" onClick={copy}>
        <span aria-live="polite">{copied ? t.copied : t.copy}</span>
      </button>
    </div>
  );
}
