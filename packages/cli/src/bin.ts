import { main } from './main.ts';

const controller = new AbortController();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // the first signal ends it gracefully, the second at once
    if (interrupted) process.exit(2);
    interrupted = true;
    controller.abort(new DOMException('Canceled.', 'AbortError'));
  });
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // when it writes, the command learns that a reader has stopped early, as "head" does
  if (error.code === 'EPIPE') return;
  process.stderr.write(`Standard output cannot be written (${error.code}).\n`);
  process.exit(1);
});

main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: controller.signal,
}).then((code) => {
  process.exitCode = code;
  // a terminal that was prompted on keeps the process alive
  process.stdin.unref?.();
});
