import { CopyButton } from '#ui/buttons/copy-button.tsx';

/** Longer ones may not be whole in two lines. */
const SHORT = 80;

/** The address of an endpoint, in two lines at most: the whole of it is in its title and on the clipboard. */
export function Address({ url }: { url: string }) {
  return (
    <span className="block min-w-0">
      <span title={url} className="line-clamp-2 break-all">
        {url}
      </span>
      {url.length > SHORT ? <CopyButton text={url} label="Copy address" className="mt-1.5" /> : null}
    </span>
  );
}
