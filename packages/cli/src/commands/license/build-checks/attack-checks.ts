import { cp, mkdir, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from '#exit.ts';
import { startForgingProxy } from '../forging-proxy/server.ts';
import { type BuildCheck, type Finding, fail, notRun, pass, so } from './check.ts';
import { type FalseServer, LIES } from './false-server.ts';
import type { About, LicenseCheck, Outcome } from './license-check.ts';

/** An address where nothing listens. */
const NOWHERE = 'http://127.0.0.1:9';
const TEN_YEARS = String(10 * 365 * 86_400);
const OTHER_PRODUCT = '00000000-0000-4000-8000-000000000000';
/** The fields that `activate` sends. The API’s reference describes each. */
const DOCUMENTED = [
  'license_key',
  'machine_id',
  'old_machine_ids',
  'product_id',
  'version',
  'os',
  'label',
  'email',
  'validation_token',
];

interface Bench {
  check: LicenseCheck;
  about: About;
  liar: FalseServer;
  /** An empty folder that is deleted afterwards. */
  folder: string;
  serial: string | undefined;
}

const isLocked = ({ license }: Outcome) => license.unlocked === 0;
const isOpen = ({ license }: Outcome) => license.unlocked === 1;
const stateOf = ({ license }: Outcome) => license.state;

/** Checks of a build without a license. */
export function attackChecks({ check, liar, folder }: Bench): BuildCheck[] {
  const fresh = (name: string) => path.join(folder, name);
  return [
    {
      check: 13,
      what: 'a start asks nobody, and is quick',
      advice: 'Nothing may be asked before an editor opens: look for calls in constructors.',
      run: async () => {
        const before = liar.connections;
        const { open_ms } = await check.run('--folder', fresh('start'), '--server', liar.url, 'status');
        return so(liar.connections === before && open_ms < 50, `${liar.connections - before} requests, ${open_ms} ms`);
      },
    },
    {
      check: 9,
      what: 'a false server unlocks nothing',
      advice: 'Decide by the validation token alone, and verify its signature with your own keys.',
      run: async () => {
        for (const [name, lie] of Object.entries(LIES)) {
          liar.answer = lie;
          const outcome = await check.run(
            '--folder',
            fresh('lie'),
            '--server',
            liar.url,
            'activate',
            'TEST-ACTV-AAAA-AAAA',
            'doctor@example.com',
          );
          if (!isLocked(outcome)) return fail(`unlocked by ${name}`);
        }
        return pass(`${Object.keys(LIES).length} lies`);
      },
    },
    {
      check: 30,
      what: 'only documented fields are sent, without names of this computer or its owner',
      advice: 'Look at what you added to the request or to Parts::label.',
      run: () => {
        const sent = liar.asked.filter(({ url }) => url.startsWith('/api/license/v1/activate'));
        const [{ body } = { body: '' }] = sent;
        if (body === '') return notRun('nothing was sent');
        const unknown = Object.keys(JSON.parse(body)).filter((name) => !DOCUMENTED.includes(name));
        const named = namesHere().filter((name) => body.toLowerCase().includes(name.toLowerCase()));
        return so(unknown.length + named.length === 0, [...unknown, ...named].join(', ') || `${sent.length} requests`);
      },
    },
    {
      check: 12,
      what: 'it closes within 200 ms while a server never answers',
      advice: 'The transport must look whether it has to stop: HttpExchange::mustStop.',
      run: async () => {
        liar.answer = null;
        const words = [
          '--folder',
          fresh('hang'),
          '--server',
          liar.url,
          '--stop',
          '300',
          'activate',
          'TEST-ACTV-AAAA-AAAA',
        ];
        const { close_ms } = await check.run(...words, 'doctor@example.com');
        return so(close_ms <= 200, `${close_ms} ms`);
      },
    },
  ];
}

/** Names of people and computers that nothing should show. Short ones could be part of any word. */
function namesHere(): string[] {
  return [os.hostname(), os.userInfo().username].filter((name) => name.length > 4);
}

/** Checks of a build with a license: it activates the serial, and gives its seat back. */
export function licensedChecks(bench: Bench, target: string): BuildCheck[] {
  const { check, about, liar, folder, serial } = bench;
  const home = path.join(folder, 'licensed');
  let first: Outcome | undefined;
  let copies = 0;
  const ready = (run: () => Promise<Finding>) => async (): Promise<Finding> => {
    if (serial === undefined) return notRun('give a redeemed serial with a free seat: --license SERIAL');
    if (about.network === 0) return notRun('this license-check was built without libcurl');
    return first !== undefined && isOpen(first) ? run() : notRun('it was not activated');
  };
  /** The license as it is, in a folder of its own, to do something to. */
  const copied = async () => {
    copies += 1;
    const to = path.join(folder, `copy-${copies}`);
    await mkdir(to);
    for (const file of await filesIn(home)) {
      const copy = path.join(to, path.relative(home, file));
      await mkdir(path.dirname(copy), { recursive: true, mode: 0o700 });
      await cp(file, copy);
    }
    return to;
  };
  const offline = (place: string, ...words: string[]) =>
    check.run('--folder', place, '--server', NOWHERE, ...words, 'status');
  return [
    {
      check: 28,
      what: 'a serial activates',
      advice: 'The message of the server has the reason.',
      run: async () => {
        if (serial === undefined || about.network === 0) return ready(async () => pass(''))();
        first = await check.run('--folder', home, 'activate', serial);
        if (first.license.status === 'email_required')
          throw new UsageError(
            'This serial has not been redeemed, and the doctor should not redeem it. Use a redeemed one.',
          );
        // a second write makes the backup
        if (isOpen(first)) await check.run('--folder', home, 'check');
        return so(isOpen(first), first.license.message || stateOf(first));
      },
    },
    {
      check: 1,
      what: 'without a network it is unlocked at once after a restart',
      advice: 'Ask isUnlocked() in prepareToPlay, and do not wait for a message loop.',
      run: ready(async () => {
        const outcome = await offline(home);
        return so(outcome.at_once === 1, `${outcome.license.state}, ${outcome.open_ms} ms`);
      }),
    },
    {
      check: 9,
      what: 'a false server takes no license away',
      advice: 'Only an answer that is signed for this very question may lock.',
      run: ready(async () => {
        for (const [name, lie] of Object.entries(LIES)) {
          liar.answer = lie;
          const place = await copied();
          await check.run('--folder', place, '--server', liar.url, 'check');
          if (!isOpen(await offline(place))) return fail(`locked by ${name}`);
        }
        return pass(`${Object.keys(LIES).length} lies`);
      }),
    },
    {
      check: 10,
      what: 'a repeated answer is refused',
      advice: 'Verify the nonce of each answer.',
      run: ready(async () => {
        const proxy = await startForgingProxy({ forgery: 'replay', port: 0, target, token: undefined, log: () => {} });
        try {
          const words = ['--folder', await copied(), '--server', proxy.url, 'check'];
          await check.run(...words);
          const { license } = await check.run(...words);
          return so(license.notice === 'not_genuine' && license.unlocked === 1, license.notice);
        } finally {
          await proxy.close();
        }
      }),
    },
    {
      check: 20,
      what: 'a copy on another computer is locked',
      advice: 'Leave Parts::systemIds as Parts::ofThisSystem() sets them.',
      run: ready(async () => {
        const outcome = await offline(await copied(), '--machine', 'another computer, which is not this one');
        return so(isLocked(outcome), stateOf(outcome));
      }),
    },
    {
      check: 9,
      what: 'another product’s license unlocks nothing',
      advice: 'config.productId has to be this product’s own.',
      run: ready(async () => {
        const place = await copied();
        for (const file of await filesIn(place))
          await cp(file, file.replaceAll(about.product_id, OTHER_PRODUCT)).catch(() => {});
        const outcome = await offline(place, '--product', OTHER_PRODUCT);
        return so(isLocked(outcome), stateOf(outcome));
      }),
    },
    {
      check: 11,
      what: 'a clock that is ten years off wins nothing, and takes nothing away',
      advice: 'Leave Parts::clock as it is.',
      run: ready(async () => {
        const place = await copied();
        const ahead = await offline(place, '--clock', TEN_YEARS);
        if (!isLocked(ahead)) return fail('unlocked ten years after the last check');
        await offline(place, '--clock', `-${TEN_YEARS}`);
        return so(isOpen(await offline(place)), 'unlocked when the clock is right again');
      }),
    },
    {
      check: 6,
      what: 'a torn license file is replaced by its backup',
      advice: 'Do not write the file yourself.',
      run: ready(async () => {
        const place = await copied();
        const [file] = (await filesIn(place)).filter((each) => each.endsWith('.lic'));
        if (file === undefined) return fail('no license file');
        await truncate(file, Math.floor((await stat(file)).size / 2));
        return so(isOpen(await offline(place)), 'read from the backup');
      }),
    },
    {
      check: 17,
      what: 'only its owner can read the license file',
      advice: 'Do not write or move the file yourself.',
      run: ready(async () => {
        if (process.platform === 'win32') return notRun('Windows goes by the folder');
        const modes = await Promise.all((await filesIn(home)).map(async (file) => (await stat(file)).mode & 0o777));
        return so(
          modes.length > 0 && modes.every((mode) => (mode & 0o077) === 0),
          modes.map((mode) => mode.toString(8)).join(' '),
        );
      }),
    },
    {
      check: 16,
      what: 'where nothing can be written, it says which path',
      advice: 'Show View::storeTrouble.',
      run: ready(async () => {
        const blocked = path.join(folder, 'a-file');
        await writeFile(blocked, '');
        const { license } = await check.run('--folder', path.join(blocked, 'x'), 'activate', serial as string);
        const isClear = license.unlocked === 1 && license.trouble !== '' && license.trouble_path.startsWith(blocked);
        return so(isClear, license.trouble || 'no word');
      }),
    },
    {
      check: 28,
      what: 'its seat is given back',
      advice: 'Release the computer by hand: tonerow machines.',
      run: ready(async () => {
        const outcome = await check.run('--folder', home, 'release');
        return so(isLocked(outcome), outcome.license.message || stateOf(outcome));
      }),
    },
  ];
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    // nothing was stored
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
