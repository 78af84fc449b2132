import type { ProductCard } from '@tonerow/sdk';
import { useEffect, useRef, useState } from 'react';
import { Mark } from '../ui/mark.tsx';
import { blocksOf } from './code-format.ts';
import { messages as t } from './messages.ts';

const COPIED_FOR = 2000;
/** By then the server has counted the click. */
const RECOUNT_AFTER = 1200;

export function Card({ product, onDownload }: { product: ProductCard; onDownload: () => void }) {
  const full = product.download_count >= product.download_limit;
  const obstacle = product.revoked ? t.suspended : full ? t.limit : null;
  return (
    <li className="card">
      <Picture url={product.image_url} />
      <div className="card-body">
        <h2>{product.product_name}</h2>
        <CodeLine code={product.serial_code} />
        {product.files.length === 0 ? <p className="note">{t.noFiles}</p> : null}
        <div className="files">
          {product.files.map((file) =>
            obstacle ? (
              <span key={file.url} className="file off" aria-disabled="true">
                {file.name}
              </span>
            ) : (
              <a
                key={file.url}
                className="file"
                href={file.url}
                target="_blank"
                rel="noopener noreferrer"
                onClick={() => setTimeout(onDownload, RECOUNT_AFTER)}
              >
                {file.name}
              </a>
            ),
          )}
        </div>
        <p className="count">
          {t.downloads}
          <span className="figures">
            {product.download_count}/{product.download_limit}
          </span>
        </p>
        {obstacle ? (
          <p className="obstacle" role="status">
            {obstacle}
          </p>
        ) : null}
      </div>
    </li>
  );
}

function Picture({ url }: { url: string | null }) {
  const [broken, setBroken] = useState(false);
  if (!url || broken) {
    return (
      <div className="picture none">
        <Mark className="mark" />
      </div>
    );
  }
  return <img className="picture" src={url} alt="" loading="lazy" onError={() => setBroken(true)} />;
}

function CodeLine({ code }: { code: string }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    await navigator.clipboard.writeText(code).catch(() => undefined);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_FOR);
  };

  return (
    <div className="code-line">
      <code>
        {blocksOf(code).map((block, index) => (
          <span key={index}>{block}</span>
        ))}
      </code>
      <button type="button" className="copy" onClick={copy}>
        <span aria-live="polite">{copied ? t.copied : t.copy}</span>
      </button>
    </div>
  );
}
