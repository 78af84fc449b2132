import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildCheck, type Finding, fail, notRun, pass, so } from './check.ts';
import type { FoundBuild } from './found-build.ts';
import type { About } from './license-check.ts';

const MOST_BYTES = 150 * 1024;
/** Credentials of ours that no plugin may carry. */
const SECRET = /tnr_(?!plg_)[a-z]{2,8}_[A-Za-z0-9]{16,}/g;

/** Checks of what can be seen in the compiled plugins, and in the program beside them. */
export function binaryChecks(build: FoundBuild, about: About | undefined, signal: AbortSignal): BuildCheck[] {
  return [
    {
      check: null,
      what: 'it is a release build',
      advice: 'Configure with -DCMAKE_BUILD_TYPE=Release before you ship.',
      run: () => {
        if (!build.buildType) return notRun('there is no CMakeCache.txt');
        return isRelease(build) ? pass(build.buildType) : notRun(`a ${build.buildType} build`);
      },
    },
    ...build.plugins.flatMap((file) => checksOf(file, build, about, signal)),
  ];
}

const isRelease = ({ buildType }: FoundBuild) => /^(Release|RelWithDebInfo|MinSizeRel)$/.test(buildType ?? '');

function checksOf(file: string, build: FoundBuild, about: About | undefined, signal: AbortSignal): BuildCheck[] {
  const name = path.basename(file);
  const lines = async (tool: string, ...args: string[]) => linesOf(tool, [...args, file], signal);
  return [
    {
      check: null,
      what: `${name}: has the same settings as license-check`,
      advice: 'Build both from the same source/Settings.h.',
      run: async () => {
        if (!about) return notRun('there is no license-check beside it');
        const bytes = await readFile(file);
        const missing = [about.product_id, about.plugin_key, about.server, ...about.keys.map(({ x }) => x)].filter(
          (text) => !bytes.includes(text),
        );
        return missing.length > 0 ? fail(`${missing.length} values are missing`) : pass('the same');
      },
    },
    {
      check: null,
      what: `${name}: carries no secret but the plugin key`,
      advice: 'Take the access token out, and delete it: tonerow tokens delete.',
      run: async () => {
        const [found] = (await readFile(file, 'latin1')).match(SECRET) ?? [];
        return found === undefined ? pass('none') : fail(`it has ${found.slice(0, 8)}…`);
      },
    },
    {
      check: 21,
      what: `${name}: shows no name that another developer’s plugin has`,
      advice: 'Compile with -fvisibility=hidden, and set TONEROW_NAMESPACE and TONEROW_C_PREFIX to your own.',
      run: async () => {
        const symbols = await lines('nm', '-D', '--defined-only', '-C');
        if (typeof symbols === 'string') return notRun(symbols);
        const own = about && about.namespace !== 'v1' ? `tonerow::${about.namespace}::` : undefined;
        const ownSymbols = symbols.filter((line) => /\btonerow(::|_[a-z])/.test(line));
        const shared = ownSymbols.filter((line) => own === undefined || !line.includes(own));
        return shared.length > 0
          ? fail(`${shared.length} names, such as ${shared[0]?.replace(/^\S* \S /, '').slice(0, 60)}`)
          : pass(ownSymbols.length === 0 ? 'none of ours' : `${ownSymbols.length} of ours, in your namespace`);
      },
    },
    {
      check: 25,
      what: `${name}: the core and the panel take less than 150 KB`,
      advice: 'Build with optimization, and with link-time optimization.',
      run: async () => {
        if (!isRelease(build)) return notRun('not a release build');
        const symbols = await lines('nm', '-S', '-C', '--defined-only');
        if (typeof symbols === 'string') return notRun(symbols);
        // one piece of code may have several names
        const sizes = new Map<string, number>();
        for (const line of symbols) {
          const [, address, size] = /^([0-9a-f]+) ([0-9a-f]+) \S .*\btonerow::/.exec(line) ?? [];
          if (address !== undefined && size !== undefined) sizes.set(address, Number.parseInt(size, 16));
        }
        if (sizes.size === 0) return notRun('its names are stripped');
        const bytes = [...sizes.values()].reduce((sum, each) => sum + each, 0);
        return so(bytes < MOST_BYTES, `${Math.ceil(bytes / 1024)} KB`);
      },
    },
    {
      check: null,
      what: `${name}: is hardened`,
      advice: 'Link with -Wl,-z,relro,-z,now,-z,noexecstack.',
      run: () => hardening(lines),
    },
  ];
}

async function hardening(lines: (tool: string, ...args: string[]) => Promise<string[] | string>): Promise<Finding> {
  const parts = await lines('readelf', '-W', '-l', '-d');
  if (typeof parts === 'string') return notRun(parts);
  const has = (pattern: RegExp) => parts.some((line) => pattern.test(line));
  const missing = [
    has(/GNU_RELRO/) ? '' : 'relro',
    has(/BIND_NOW|FLAGS.*\bNOW\b/) ? '' : 'now',
    has(/GNU_STACK.*\bRWE\b/) ? 'noexecstack' : '',
    has(/TEXTREL/) ? 'position-independent code' : '',
  ].filter(Boolean);
  return so(missing.length === 0, missing.length === 0 ? 'relro, now, noexecstack' : `without ${missing.join(', ')}`);
}

/** The lines that a tool prints, or the reason why it printed nothing. */
function linesOf(tool: string, args: string[], signal: AbortSignal): Promise<string[] | string> {
  return new Promise((resolve, reject) => {
    execFile(tool, args, { signal, maxBuffer: 512 * 1024 * 1024 }, (error, stdout) => {
      if (!error) return resolve(stdout.split('\n').filter(Boolean));
      if (signal.aborted) return reject(signal.reason);
      const { code } = error as NodeJS.ErrnoException;
      resolve(code === 'ENOENT' ? `${tool} is not installed (binutils)` : `${tool} cannot read it`);
    });
  });
}
