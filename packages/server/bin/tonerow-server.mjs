#!/usr/bin/env node
// The first file of the command. It must run on an older Node, so it looks before it loads anything of the server.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const at = (place) => fileURLToPath(new URL(place, import.meta.url));
const bundled = at('../../../node_modules/.bin/node');

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  if (existsSync(at('../dist/bin.js'))) await import('../dist/bin.js');
  else fail('The server is not built yet. Run "npm start" once, it builds everything.');
} else if (existsSync(bundled) && !process.env.TONEROW_NODE_TRIED) {
  // a checkout brings a newer Node along
  again();
} else {
  fail(`tonerow-server needs Node ${NEEDED} or newer; this is ${process.version}.`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** Whoever watches over this process watches over the server: signals reach it, and it ends as the server does. */
function again() {
  const server = spawn(bundled, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, TONEROW_NODE_TRIED: '1' },
  });
  const pass = (signal) => {
    // a terminal sends its Ctrl-C to both, and a second one would mean haste
    if (signal !== 'SIGINT' || !process.stdin.isTTY) server.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, pass);
  server.on('error', (error) => fail(`tonerow-server needs Node ${NEEDED} or newer: ${error.message}`));
  server.on('exit', (code, signal) => {
    for (const each of signals) process.off(each, pass);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}
