// Runs before the first paint, so that a dark page never flashes white. External, because the policy forbids inline scripts.
try {
  if (localStorage.getItem('theme') === 'dark') document.documentElement.classList.add('dark');
} catch {
  // Storage can be blocked: the light theme is the default.
}
