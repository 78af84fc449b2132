import type { ProductCard } from '@tonerow/sdk';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { CodeLine } from './code-line.tsx';
import { explain, isCode } from './explain.ts';
import { helpLink, type Support } from './help.ts';
import { ownLink } from './use-products.ts';
import { useWords } from './words.tsx';

interface Props {
  product: ProductCard;
  support: Support;
  /** The file being requested. */
  starting: number | null;
  trouble: unknown;
  onDownload: (file: number) => void;
  children?: ReactNode;
}

export function Card({ product, support, starting, trouble, onDownload, children }: Props) {
  const words = useWords();
  const { t, count } = words;
  const { product_name: name, download_count: used, download_limit: limit, files } = product;
  const state = product.revoked ? 'suspended' : used >= limit ? 'limitReached' : 'active';
  const blocked = state !== 'active';
  return (
    <li className="card">
      <Picture url={product.image_url} name={name} />
      <div className="card-body">
        <div className="card-head">
          <h2 dir="auto" title={name.length > 80 ? name : undefined}>
            {name}
          </h2>
          <span className={`state ${state}`}>{t[state]}</span>
        </div>
        <CodeLine code={product.serial_code} />
        <div className="gate">
          {files.length === 0 ? <p className="note">{t.noFiles}</p> : null}
          <div className="files">
            {files.map((file, index) =>
              blocked ? (
                <button key={index} type="button" className="file" disabled>
                  <bdi>{file.name}</bdi>
                </button>
              ) : (
                <a
                  key={index}
                  className="file"
                  href={ownLink(file.url)}
                  download=""
                  rel="noopener"
                  aria-busy={starting === index}
                  onClick={(event: MouseEvent) => {
                    event.preventDefault();
                    onDownload(index);
                  }}
                >
                  <bdi>{file.name}</bdi>
                </a>
              ),
            )}
          </div>
          {blocked ? (
            <div className="overlay">
              <p role="status">{state === 'suspended' ? t.suspendedText : t.limitText}</p>
              <Help product={product} support={support} />
            </div>
          ) : null}
        </div>
        <p className="count">
          {t.downloads}
          <span className="figures">
            {used}/{limit}
          </span>
          {blocked || files.length === 0 ? null : <span>{count(t.left, limit - used)}</span>}
        </p>
        <p className="alert" role="alert">
          {trouble === undefined
            ? null
            : isCode(trouble, 'unexpected')
              ? t.downloadFailed
              : explain(trouble, words, t.downloadFailed)}
        </p>
        {children}
      </div>
    </li>
  );
}

function Help({ product, support }: { product: ProductCard; support: Support }) {
  const { t } = useWords();
  const link = helpLink(support, product, t);
  if (!link) return null;
  return (
    <a className="help" href={link} rel="noopener" {...(support.email ? {} : { target: '_blank' })}>
      {t.requestHelp}
    </a>
  );
}

function Picture({ url, name }: { url: string | null; name: string }) {
  const [broken, setBroken] = useState(false);
  if (!url || broken) {
    return (
      <div className="picture none" aria-hidden="true">
        {[...name.trim()][0]}
      </div>
    );
  }
  return <img className="picture" src={url} alt="" loading="lazy" onError={() => setBroken(true)} />;
}
