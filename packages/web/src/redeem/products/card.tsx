import type { ProductCard } from '@tonerow/sdk';
import { type ReactNode, useState } from 'react';
import { explain, isCode } from '../explain.ts';
import { useWords } from '../words.tsx';
import { blockOf, isOpen } from './blocked.ts';
import { CodeLine } from './code-line.tsx';
import { Files, Install } from './files.tsx';
import { helpLink, type Support } from './help.ts';
import { HelpForm } from './help-form.tsx';
import { ownLink } from './use-products.ts';

interface Props {
  product: ProductCard;
  support: Support;
  /** Opens this serial. */
  token: string;
  /** The file being requested. */
  starting: number | null;
  trouble: unknown;
  onDownload: (file: number) => void;
  children?: ReactNode;
}

const whyBlocked = { withdrawn: 'withdrawnText', suspended: 'suspendedText', limitReached: 'limitText' } as const;

export function Card({ product, support, token, starting, trouble, onDownload, children }: Props) {
  const words = useWords();
  const { t, count } = words;
  const { product_name: name, download_count: used, download_limit: limit, files } = product;
  const state = blockOf(product);
  const blocked = !files.some((file) => isOpen(product, file));
  return (
    <li className="card">
      <Picture url={product.image_url} name={name} />
      <div className="card-body">
        <div className="card-head">
          <h2 dir="auto" title={name.length > 80 ? name : undefined}>
            {name}
          </h2>
          <span className={`state ${state ?? 'active'}`}>{t[state ?? 'active']}</span>
        </div>
        <CodeLine code={product.serial_code} />
        <div className={state && !blocked ? 'gate ajar' : 'gate'}>
          {files.length === 0 ? <p className="note">{t.noFiles}</p> : null}
          <Files
            files={files}
            version={product.version}
            isOpen={(file) => isOpen(product, file)}
            starting={starting}
            onDownload={onDownload}
          />
          {state ? (
            <div className="overlay">
              <p role="status">{t[whyBlocked[state]]}</p>
              <Help product={product} support={support} token={token} />
            </div>
          ) : null}
        </div>
        <p className="count">
          {t.downloads}
          <span className="figures">
            {used}/{limit}
          </span>
          {state || files.length === 0 ? null : <span>{count(t.left, limit - used)}</span>}
        </p>
        <p className="alert" role="alert">
          {trouble === undefined
            ? null
            : isCode(trouble, 'unexpected')
              ? t.downloadFailed
              : explain(trouble, words, t.downloadFailed)}
        </p>
        {blocked || files.length === 0 ? null : <Install help={product.install_help} />}
        {product.unlock_url ? (
          <p className="note">
            {t.unlockedForGood}{' '}
            <a href={ownLink(product.unlock_url)} download="unlock.json">
              {t.unlockFile}
            </a>
          </p>
        ) : null}
        {children}
      </div>
    </li>
  );
}

function Help({ product, support, token }: { product: ProductCard; support: Support; token: string }) {
  const { t } = useWords();
  const link = helpLink(support, product, t);
  if (support.closed) return null;
  if (!link) return <HelpForm product={product} token={token} to={support.name} />;
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
