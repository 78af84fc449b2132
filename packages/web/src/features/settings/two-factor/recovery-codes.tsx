import { Download } from 'lucide-react';
import { saveFile } from '#lib/files/download.ts';
import { useAccount } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Notice } from '#ui/states.tsx';

interface RecoveryCodesProps {
  codes: string[];
  /** Somebody tried to close the dialog before the codes were kept. */
  hurried: boolean;
  onKept: () => void;
}

/** The ten codes, shown this once. */
export function RecoveryCodes({ codes, hurried, onKept }: RecoveryCodesProps) {
  const account = useAccount();
  const download = () => {
    const head = `Recovery codes for Tonerow${account ? `, ${account.email}` : ''}\nEach works once instead of the code from the app.\n\n`;
    saveFile('tonerow-recovery-codes.txt', [head, codes.join('\n'), '\n'], 'text/plain;charset=utf-8');
  };
  return (
    <div className="mt-4 flex flex-col gap-5">
      <p className="text-muted">
        Each one logs you in once if you don't have your phone. Store them where you keep your passwords.
      </p>
      <ol
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-md border border-line bg-sunken px-4 py-3.5 font-mono text-sm font-medium"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ol>
      <Notice tone="warn">
        {hurried
          ? "Save the codes first: they can't be shown again after you close this."
          : 'They are shown only this once.'}
      </Notice>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={codes.join('\n')} what="the recovery codes" className="h-9" />
        <Button onClick={download}>
          <Download className="size-4" aria-hidden />
          Download
        </Button>
        <Button variant="primary" onClick={onKept} className="ml-auto">
          I have saved them
        </Button>
      </div>
    </div>
  );
}
