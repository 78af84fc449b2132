import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '#lib/errors.ts';
import { useDebounced } from '#lib/hooks.ts';
import { q } from '#lib/queries/operation.ts';
import type { Language } from '#lib/redeem-texts/index.ts';
import { Failed } from '#ui/states.tsx';
import type { emailLook } from '../branding-values.ts';

const WIDTH = 375;
const LEAST = 480;

interface EmailFrameProps {
  language: Language;
  /** As it is typed, of which the email shows what the server accepts. */
  look: ReturnType<typeof emailLook>;
  scale: number;
}

/** The email that customers get after redeeming, as the server writes it. */
export function EmailFrame({ language, look, scale }: EmailFrameProps) {
  const [height, setHeight] = useState(LEAST);
  const settled = useDebounced(look, 300);
  const query = { language, ...settled };
  const email = useQuery({
    ...q('previewCustomerEmail', { query }),
    placeholderData: (last) => last,
    // a product or a setting may have changed meanwhile
    refetchOnMount: 'always',
  });
  const [last, setLast] = useState(email.data);
  if (email.data && email.data !== last) setLast(email.data);
  // the server may not accept yet what is being typed
  const unfinished = last !== undefined && isStatus(email.error, 400);
  if (email.isError && !unfinished) {
    return (
      <Failed
        title="The email couldn't be loaded"
        error={email.error}
        retry={email.refetch}
        retrying={email.isFetching}
      />
    );
  }
  const shown = email.data ?? last;
  if (!shown) {
    return (
      <div role="status">
        <span className="sr-only">Loading the email</span>
        <span className="skeleton mb-3 block h-5 w-48" />
        <span className="skeleton block h-[480px] w-full" />
      </div>
    );
  }
  const { subject, html } = shown;
  return (
    <>
      <p className="mb-3 text-sm wrap-anywhere">
        <span className="text-muted">Subject</span> <bdi lang={language}>{subject}</bdi>
      </p>
      <div
        role="img"
        aria-label={`The email with the subject ${subject}`}
        className="overflow-hidden rounded-lg border border-line-strong"
        style={{ width: WIDTH * scale + 2, height: height * scale + 2 }}
      >
        {/* without scripts; of our origin only so that its height is known */}
        <iframe
          title="Email"
          aria-hidden
          tabIndex={-1}
          sandbox="allow-same-origin"
          srcDoc={html}
          onLoad={({ currentTarget }) =>
            setHeight(Math.max(LEAST, Math.ceil(currentTarget.contentDocument?.body.scrollHeight ?? 0)))
          }
          className="pointer-events-none block max-w-none origin-top-left border-0"
          style={{ width: WIDTH, height, transform: `scale(${scale})` }}
        />
      </div>
      <p className="mt-3 text-sm text-muted">
        With your newest product; light or dark, as the reader’s email program is.
      </p>
    </>
  );
}
