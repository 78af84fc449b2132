import { runServerCommand } from './commands/index.ts';

// a reader that stops after the first lines, as in "doctor | head", has what it asked for
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const argv = process.argv.slice(2);
const { env, stdout, stderr } = process;
const code = await runServerCommand(argv, {
  env,
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
});
process.exitCode = code;
// a connection that hangs keeps nobody waiting
if (argv[0] === 'doctor') stdout.write('', () => process.exit(code));
