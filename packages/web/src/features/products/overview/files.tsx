import { formatBytes } from '#lib/format/sizes.ts';
import type { ProductOverview } from '#lib/types.ts';
import { TextLink } from '#ui/button.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

interface FilesProps {
  files: ProductOverview['files'];
  productId: string;
}

export function Files({ files, productId }: FilesProps) {
  return (
    <section aria-labelledby="product-files">
      <h2 id="product-files" className="mb-1 font-semibold">
        Files
      </h2>
      {files.length === 0 ? (
        <p className="text-sm text-muted">
          No files yet, so customers have nothing to download.{' '}
          <TextLink to="/products/edit/$productId" params={{ productId }}>
            Add a file
          </TextLink>
        </p>
      ) : (
        <ul className="divide-y divide-line border-b border-line">
          {files.map((file, index) => (
            <li key={index} className="flex min-h-11 items-center justify-between gap-6 py-2 text-sm">
              <span className="min-w-0 wrap-anywhere">{file.name}</span>
              <span className="figures shrink-0 text-right text-muted">
                {file.size === null ? 'Kept elsewhere' : formatBytes(file.size)}
                {file.uploaded_at ? (
                  <>
                    {' · '}
                    <TimeAgo iso={file.uploaded_at} />
                  </>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
