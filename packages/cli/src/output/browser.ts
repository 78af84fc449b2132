import { spawn } from 'node:child_process';
import type { Io } from '#io.ts';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // not "start", which is the shell's: "&" in an address would end the command
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address of the web in the person's browser, if this machine seems to have one. */
export async function openBrowser(io: Io, address: string): Promise<boolean> {
  if (!/^https?:\/\//.test(address)) return false;
  if (io.openBrowser) return io.openBrowser(address);
  // a Linux without a screen, such as one that is reached by ssh, would open a browser in text
  if (process.platform === 'linux' && !io.env.DISPLAY && !io.env.WAYLAND_DISPLAY) return false;
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
