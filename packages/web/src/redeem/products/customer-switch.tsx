import { useWords } from '../words.tsx';

interface Props {
  who: string | null;
  onAnother: () => void;
  onForget: () => void;
}

/** Below the downloads: one more serial, or somebody else at this browser. */
export function CustomerSwitch({ who, onAnother, onForget }: Props) {
  const { t } = useWords();
  return (
    <div className="whose">
      <button type="button" className="second" onClick={onAnother}>
        {t.another}
      </button>
      <p>
        {who ? <bdi className="who">{who}</bdi> : null}
        <button type="button" className="link" onClick={onForget}>
          {t.notYou}
        </button>
      </p>
    </div>
  );
}
