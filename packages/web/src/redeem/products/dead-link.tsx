import { isCode } from '../explain.ts';
import { Heading } from '../heading.tsx';
import { useWords } from '../words.tsx';

/** Whether the link from the email is too old, or none. */
export const isDeadLink = (failure: unknown): boolean =>
  failure !== undefined && (isCode(failure, 'link_invalid') || isCode(failure, 'invalid_request'));

/** Shown in place of what the link would open. It offers another link, or a serial. */
export function DeadLink({ onAsk, onAnother }: { onAsk: () => void; onAnother: () => void }) {
  const { t } = useWords();
  return (
    <>
      <Heading title={t.linkTitle} intro={t.link_invalid} />
      <button type="button" className="main" onClick={onAsk}>
        {t.newLink}
      </button>
      <button type="button" className="quiet" onClick={onAnother}>
        {t.enterSerial}
      </button>
    </>
  );
}
