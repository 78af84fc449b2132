import { explain } from './explain.ts';
import { useWords } from './words.tsx';

interface Props {
  failure: unknown;
  onRetry: () => void;
  onEnterSerial: () => void;
}

/** A skeleton of the content while it loads, or the reason it can't be shown. */
export function Opening({ failure, onRetry, onEnterSerial }: Props) {
  const words = useWords();
  const { t } = words;
  if (failure !== undefined) {
    return (
      <div className="waiting">
        <p className="waiting-for" role="alert">
          {explain(failure, words, t.openFailed)}
        </p>
        <button type="button" className="main" onClick={onRetry}>
          {t.retry}
        </button>
        <button type="button" className="quiet" onClick={onEnterSerial}>
          {t.enterSerial}
        </button>
      </div>
    );
  }
  return (
    <div role="status">
      <span className="unseen">{t.opening}</span>
      <div className="ghost ghost-title" />
      <div className="ghost ghost-line" />
      <div className="ghost ghost-card" />
    </div>
  );
}
