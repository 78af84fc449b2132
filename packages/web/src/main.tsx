import './styles/app.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '#lib/query.ts';
import { router } from './router.tsx';

// After an update the server no longer has the old chunks: one reload gets the new ones. Without a network it would lose the page.
window.addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('reloaded') ?? 0);
  if (!navigator.onLine || Date.now() - last < 60_000) return;
  sessionStorage.setItem('reloaded', String(Date.now()));
  event.preventDefault();
  location.reload();
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const app = createRoot(root);
const draw = () =>
  app.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
// until the first screen's code is here, the frame that came with the page is shown
router.load().then(draw, draw);
