#!/usr/bin/env node
// The first file of the command. It must run on any Node, and be small: what it loads comes from the compile cache.
const { existsSync } = require('node:fs');
const module_ = require('node:module');
const path = require('node:path');

const NEEDED = 22;
const bundled = path.resolve(__dirname, '../../../node_modules/.bin/node');

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  if (!existsSync(path.join(__dirname, '../dist/cli.cjs'))) {
    process.stderr.write('The terminal client is not built yet. Run "npm start" once, it builds everything.\n');
    process.exit(1);
  }
  module_.enableCompileCache();
  require('../dist/cli.cjs');
} else if (existsSync(bundled) && !process.env.TONEROW_NODE_TRIED) {
  // a checkout brings a newer Node along
  const { spawnSync } = require('node:child_process');
  const again = spawnSync(bundled, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, TONEROW_NODE_TRIED: '1' },
  });
  process.exitCode = again.status === null ? 1 : again.status;
} else {
  process.stderr.write(`tonerow needs Node ${NEEDED} or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
}
