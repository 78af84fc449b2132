/** Prints a page that the server made, as it is: in a frame of its own, which no script of ours or of the page's runs in. */
export function printPage(html: string): Promise<void> {
  const frame = document.createElement('iframe');
  frame.title = 'To print';
  frame.className = 'sr-only';
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  return new Promise((resolve, reject) => {
    frame.addEventListener('load', () => {
      const view = frame.contentWindow;
      if (!view) return reject(new Error('The page could not be opened.'));
      // some browsers return from print() while the question is open
      view.addEventListener('afterprint', () => frame.remove());
      view.print();
      resolve();
    });
    frame.srcdoc = html;
    document.body.append(frame);
  });
}
