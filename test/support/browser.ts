import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { spentOn } from './where.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// by user: what root unpacked is not an ordinary user's to complete
const folder = path.join(tmpdir(), `tonerow-chromium-153.0.0-${userInfo().uid}`);

/** Unpacks the browser that comes as a package, once, before any test starts. Returns its path. */
export async function unpackBrowser(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  // the package reads these: which libraries to bring along, and where to unpack
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    return await packaged.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

export const launchBrowser = (): Promise<Browser> => spentOn('browser', launch);

async function launch(): Promise<Browser> {
  const executablePath = await unpackBrowser();
  const fonts = path.join(folder, 'fonts.conf');
  // its own configuration looks for the fonts elsewhere, and a page without any font crashes; renamed, because the
  // browser of another worker may be reading it
  const draft = `${fonts}.${process.pid}`;
  writeFileSync(
    draft,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`,
  );
  renameSync(draft, fonts);
  return chromium.launch({
    executablePath,
    headless: true,
    args: FLAGS,
    env: {
      ...(process.env as Record<string, string>),
      FONTCONFIG_FILE: fonts,
      LD_LIBRARY_PATH: [`${folder}/al2023/lib`, process.env.LD_LIBRARY_PATH ?? ''].filter(Boolean).join(':'),
      TMPDIR: folder,
    },
  });
}

let shared: Promise<Browser> | undefined;

/** The worker's browser: each test opens contexts of its own in it. It closes when its worker ends. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}
