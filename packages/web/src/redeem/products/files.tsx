import type { ProductCard } from '@tonerow/sdk';
import { createContext, type MouseEvent, useContext } from 'react';
import { type Computer, type System, sorted } from '../system.ts';
import { useWords } from '../words.tsx';
import { ownLink } from './use-products.ts';

export const ComputerContext = createContext<Computer>({ system: null, chip: null });

interface Props {
  files: ProductCard['files'];
  version: ProductCard['version'];
  isOpen: (file: ProductCard['files'][number]) => boolean;
  starting: number | null;
  onDownload: (file: number) => void;
}

/** The file for this computer first, those of other systems behind a word. */
export function Files({ files, ...rest }: Props) {
  const { t } = useWords();
  const { here, elsewhere } = sorted(files, useContext(ComputerContext));
  return (
    <div className="files">
      {here.map((file) => (
        <FileButton key={file.index} file={file} {...rest} />
      ))}
      {elsewhere.length > 0 ? (
        <details className="others">
          <summary>{t.otherSystems}</summary>
          <div className="files">
            {elsewhere.map((file) => (
              <FileButton key={file.index} file={file} {...rest} />
            ))}
          </div>
        </details>
      ) : null}
    </div>
  );
}

type ButtonProps = Omit<Props, 'files'> & { file: ProductCard['files'][number] & { index: number } };

function FileButton({ file, version, isOpen, starting, onDownload }: ButtonProps) {
  const { name, url, size, index } = file;
  const { bytes } = useWords();
  const more = [version, size === null ? null : bytes(size)].filter(Boolean).join(' · ');
  const label = (
    <>
      <bdi>{name}</bdi>
      {more ? <span className="size">{more}</span> : null}
    </>
  );
  if (!isOpen(file)) {
    return (
      <button type="button" className="file" disabled>
        {label}
      </button>
    );
  }
  return (
    <a
      className="file"
      href={ownLink(url)}
      download=""
      rel="noopener"
      aria-busy={starting === index}
      onClick={(event: MouseEvent) => {
        event.preventDefault();
        onDownload(index);
      }}
    >
      {label}
    </a>
  );
}

const NAMES: Record<System, string> = { mac: 'macOS', windows: 'Windows', linux: 'Linux' };

/** The developer's own words, else where plugins go on this computer; on a phone, on each of them. */
export function Install({ help }: { help: string }) {
  const { t } = useWords();
  const { system } = useContext(ComputerContext);
  const general = { mac: t.installMac, windows: t.installWindows, linux: t.installLinux };
  const shown = system ? [system] : (['mac', 'windows', 'linux'] as const);
  return (
    <details className="install">
      <summary>{t.install}</summary>
      {help ? (
        <p className="own" dir="auto">
          {help}
        </p>
      ) : (
        <>
          {shown.map((each) => (
            <p key={each}>
              <b>{NAMES[each]}</b> {general[each]}
            </p>
          ))}
          <p>{t.installRescan}</p>
        </>
      )}
    </details>
  );
}
