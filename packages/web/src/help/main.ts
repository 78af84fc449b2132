import './help.css';

const button = document.getElementById('theme');
const dark = () => document.documentElement.classList.contains('dark');
const label = () => {
  if (button) button.textContent = dark() ? 'Light theme' : 'Dark theme';
};
label();
button?.addEventListener('click', () => {
  document.documentElement.classList.toggle('dark', !dark());
  try {
    localStorage.setItem('theme', dark() ? 'dark' : 'light');
  } catch {
    // storage can be blocked: then the theme lasts for this page only
  }
  label();
});

// the menu is open where there is room for it
const menu = document.querySelector<HTMLDetailsElement>('details.menu');
if (menu && matchMedia('(max-width: 63.99rem)').matches) menu.open = false;

for (const pre of document.querySelectorAll<HTMLPreElement>('pre.code')) {
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'copy';
  copy.textContent = 'Copy';
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(pre.querySelector('code')?.textContent ?? '');
      copy.textContent = 'Copied';
    } catch {
      copy.textContent = 'Select the text instead';
    }
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  });
  const frame = document.createElement('div');
  frame.className = 'frame';
  pre.replaceWith(frame);
  frame.append(pre, copy);
}
