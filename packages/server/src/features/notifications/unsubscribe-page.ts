/** A page that needs nothing else: no script, no picture, no session. Its words are our own. */
export function unsubscribePage(words: string, asks: boolean): string {
  // without an action the form goes to the page's own address, which has the token
  const form = asks
    ? '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>'
    : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>Unsubscribe</title><style>body{font:16px/1.6 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem}button{font:inherit;padding:.75rem 1.25rem;border:0;border-radius:8px;background:#6d28d9;color:#fff;cursor:pointer}button:focus-visible{outline:3px solid #a78bfa;outline-offset:2px}</style></head><body><main><h1>Tonerow</h1><p>${words}</p>${form}</main></body></html>`;
}
