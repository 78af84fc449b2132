/** Builds and tests of the plugin's C++, and what each build needs. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa, execaSync } from 'execa';

export const SOURCE = path.resolve('packages/plugin');
const CACHE = path.resolve('.cache/plugin');

export interface Outcome {
  /** Null: it was not run; then `output` is the reason, in one line. */
  ok: boolean | null;
  output: string;
}

export interface Build {
  name: string;
  run(): Promise<Outcome>;
}

const isInstalled = (command: string) =>
  execaSync(command, ['--version'], { reject: false, stdio: 'ignore' }).exitCode === 0;
/** The first of these that is installed; Debian's names have versions. */
const firstOf = (...names: string[]) => names.find(isInstalled);
const clang = () => firstOf('clang++', ...versioned('clang++'));
const versioned = (name: string) => Array.from({ length: 12 }, (_, at) => `${name}-${24 - at}`);

/** Whether a program with a header can be compiled and linked here. */
function canCompile(compiler: string, header: string, ...flags: string[]): boolean {
  const input = `#include <${header}>\nint main() {}\n`;
  const args = ['-x', 'c++', '-', '-o', '/dev/null', ...flags];
  return execaSync(compiler, args, { reject: false, input, stdio: ['pipe', 'ignore', 'ignore'] }).exitCode === 0;
}

type Backend = 'sodium' | 'openssl' | 'monocypher';

interface Parts {
  compiler: 'g++' | 'clang++';
  backends: readonly Backend[];
  options?: readonly string[];
  sanitizers?: string;
  /** The transport by libcurl too, against real sockets, where libcurl is installed. */
  curl?: boolean;
  /** Arguments of ctest. */
  tests?: readonly string[];
  env?: Record<string, string>;
}

const BACKENDS = {
  sodium: ['sodium.h', '-lsodium'],
  openssl: ['openssl/evp.h', '-lcrypto'],
} as const;

/** Why a build cannot be made here, or what it is made with. */
function partsOf({ compiler, backends, sanitizers }: Parts): string | { compiler: string; backend: Backend } {
  const missing = ['cmake', 'ctest', 'make'].find((name) => !isInstalled(name));
  if (missing) return `${missing} is not installed (apt-get install cmake make)`;
  const found = compiler === 'g++' ? firstOf('g++') : clang();
  if (!found) return `${compiler} is not installed (apt-get install ${compiler === 'g++' ? 'g++' : 'clang'})`;
  const backend = backends.find((each) => {
    if (each === 'monocypher') return process.env.TONEROW_MONOCYPHER !== undefined;
    const [header, link] = BACKENDS[each];
    return canCompile(found, header, link);
  });
  if (!backend) return `there is no library for signatures (apt-get install libsodium-dev libssl-dev)`;
  // a program with its own main, which libFuzzer's would clash with
  const tried = sanitizers?.replace('fuzzer', 'fuzzer-no-link');
  if (tried && !canCompile(found, 'cstdio', `-fsanitize=${tried}`))
    return `${found} has no ${sanitizers} sanitizer (apt-get install libclang-rt-dev)`;
  return { compiler: found, backend };
}

/** Configures, builds and tests in a folder of its own, where the next run finds what has not changed. */
function cmake(name: string, parts: Parts): Build {
  return {
    name,
    async run() {
      const found = partsOf(parts);
      if (typeof found === 'string') return { ok: null, output: found };
      const folder = path.join(CACHE, name);
      await mkdir(folder, { recursive: true });
      const options = [
        `-DCMAKE_CXX_COMPILER=${found.compiler}`,
        `-DCMAKE_C_COMPILER=${found.compiler.replace('clang++', 'clang').replace(/^g\+\+/, 'gcc')}`,
        `-DTONEROW_BACKEND=${found.backend}`,
        `-DTONEROW_MONOCYPHER=${process.env.TONEROW_MONOCYPHER ?? ''}`,
        '-G',
        'Unix Makefiles',
        `-DTONEROW_CURL_TESTS=${parts.curl && canCompile(found.compiler, 'curl/curl.h', '-lcurl') ? 'ON' : 'OFF'}`,
        ...(parts.sanitizers ? [`-DTONEROW_SANITIZE=${parts.sanitizers.replace(',fuzzer', '')}`] : []),
        ...(parts.options ?? []),
      ];
      return steps([
        ['cmake', ['-S', SOURCE, '-B', folder, ...options]],
        ['cmake', ['--build', folder, '--parallel', '1']],
        ['ctest', ['--test-dir', folder, '--output-on-failure', ...(parts.tests ?? [])], parts.env],
      ]);
    },
  };
}

type Step = [command: string, args: string[], env?: Record<string, string>];

/** One after the other, until one fails. */
async function steps(all: readonly Step[]): Promise<Outcome> {
  let last = '';
  for (const [command, args, env = {}] of all) {
    const { exitCode, all: output = '' } = await execa(command, args, { reject: false, all: true, env });
    last = output;
    if (exitCode !== 0) return { ok: false, output: `${command} ${args.join(' ')}\n${output}` };
  }
  return { ok: true, output: last };
}

const TSAN = { TSAN_OPTIONS: 'die_after_fork=0 halt_on_error=1' };
const DEBUG = '-DCMAKE_BUILD_TYPE=Debug';

/** The build that `npm test` runs: one compiler, one library, no sanitizer. */
export const slice: Build = cmake('slice', {
  compiler: 'g++',
  backends: ['sodium', 'openssl'],
  // all sources of a library in one, and nothing for a debugger: half the time; the other builds compile each by itself
  options: [DEBUG, '-DCMAKE_CXX_FLAGS_DEBUG=-O0', '-DCMAKE_UNITY_BUILD=ON', '-DCMAKE_UNITY_BUILD_BATCH_SIZE=0'],
  tests: ['--timeout', '60', '--parallel', '4'],
});

export const builds: readonly Build[] = [
  { name: 'format', run: format },
  slice,
  cmake('openssl', { compiler: 'g++', backends: ['openssl'], options: ['-DCMAKE_BUILD_TYPE=Release'] }),
  cmake('monocypher', { compiler: 'g++', backends: ['monocypher'], options: ['-DCMAKE_BUILD_TYPE=Release'] }),
  cmake('clang', { compiler: 'clang++', backends: ['sodium', 'openssl'], options: [DEBUG], curl: true }),
  cmake('address-undefined', {
    compiler: 'g++',
    backends: ['openssl', 'sodium'],
    options: [DEBUG],
    sanitizers: 'address,undefined',
    curl: true,
  }),
  cmake('thread', {
    compiler: 'clang++',
    backends: ['sodium', 'openssl'],
    options: [DEBUG],
    sanitizers: 'thread',
    curl: true,
    env: TSAN,
  }),
  cmake('fuzz', {
    compiler: 'clang++',
    backends: ['sodium', 'openssl'],
    options: [DEBUG, '-DTONEROW_LIBFUZZER=ON'],
    sanitizers: 'address,undefined,fuzzer',
    tests: ['-R', '^fuzz'],
  }),
  cmake('kills', {
    compiler: 'g++',
    backends: ['sodium', 'openssl'],
    options: [DEBUG],
    tests: ['-R', '^store$'],
    env: { TONEROW_KILLS: '1000' },
  }),
  { name: 'consumers', run: consumers },
  { name: 'juce', run: juce },
  { name: 'juce-clang', run: () => juceModule('juce-clang', 'clang++') },
  {
    name: 'juce-address-undefined',
    run: () => juceModule('juce-address-undefined', 'g++', 'address,undefined', { panel: true }),
  },
  { name: 'juce-thread', run: () => juceModule('juce-thread', 'clang++', 'thread') },
  { name: 'size', run: size },
  { name: 'hise', run: hise },
  { name: 'sample', run: sample },
  { name: 'new-cmake', run: () => newProject('cmake') },
  { name: 'new-juce', run: () => newProject('juce') },
  { name: 'new-hise', run: newHise },
];

/** Checks that need other systems: never claimed. */
export const notRun = [
  'macOS: build, IOPlatformUUID, Application Support, Security.framework',
  'Windows: build, SMBIOS, LocalAppData, LockFileEx, MSVC',
  'auval, AUv3, AAX, pluginval',
  'HISE: its export, its library for trying, its script engine (a stand-in has their rules)',
  'a computer with a dock, a new network card, a new processor',
];

async function format(): Promise<Outcome> {
  const tool = firstOf('clang-format', ...versioned('clang-format'));
  if (!tool) return { ok: null, output: 'clang-format is not installed (apt-get install clang-format)' };
  const all = await readdir(SOURCE, { recursive: true });
  const files = all.filter((file) => /\.(h|c|cpp)$/.test(file)).map((file) => path.join(SOURCE, file));
  return steps([[tool, ['--dry-run', '--Werror', ...files]]]);
}

/**
 * The sample without a host, and what a customer does with it against a server (`test/examples/sample.test.ts`); its pictures are in
 * .cache/plugin/sample/pictures.
 */
async function sample(): Promise<Outcome> {
  const own = process.env.TONEROW_JUCE_SOURCE;
  const found = partsOf({ compiler: 'g++', backends: ['sodium', 'openssl'] });
  if (typeof found === 'string') return { ok: null, output: found };
  if (!own && !existsSync('/usr/share/juce/modules'))
    return { ok: null, output: 'JUCE is not installed (apt-get install juce-modules-source)' };
  if (!existsSync('/usr/bin/xvfb-run')) return { ok: null, output: 'xvfb-run is not installed (apt-get install xvfb)' };
  if (!canCompile(found.compiler, 'curl/curl.h', '-lcurl'))
    return { ok: null, output: 'libcurl is not installed (apt-get install libcurl4-openssl-dev)' };
  const folder = path.join(CACHE, 'sample');
  const options = [
    `-DTONEROW_JUCE=${own ?? ''}`,
    `-DTONEROW_BACKEND=${found.backend}`,
    '-DSAMPLE_PLUGIN=OFF',
    '-DSAMPLE_DRIVER=ON',
    DEBUG,
  ];
  const pictures = path.join(folder, 'pictures');
  await rm(pictures, { recursive: true, force: true });
  await mkdir(pictures, { recursive: true });
  return steps([
    ['cmake', ['-S', `${SOURCE}/sample`, '-B', folder, ...options]],
    ['cmake', ['--build', folder, '--parallel', '1']],
    [
      'npx',
      ['vitest', 'run', 'test/examples/sample.test.ts'],
      { TONEROW_SAMPLE: path.join(folder, 'sample-driver'), TONEROW_PICTURES: pictures },
    ],
  ]);
}

/**
 * Builds the project that `tonerow plugin new` writes: it is configured, compiled, and given to
 * `tonerow license doctor --build`.
 */
async function newProject(kind: 'cmake' | 'juce'): Promise<Outcome> {
  const own = process.env.TONEROW_JUCE_SOURCE;
  const found = partsOf({ compiler: 'g++', backends: ['sodium', 'openssl'] });
  if (typeof found === 'string') return { ok: null, output: found };
  if (kind === 'juce' && !own && !existsSync('/usr/share/juce/modules'))
    return { ok: null, output: 'JUCE is not installed (apt-get install juce-modules-source)' };
  if (!canCompile(found.compiler, 'curl/curl.h', '-lcurl'))
    return { ok: null, output: 'libcurl is not installed (apt-get install libcurl4-openssl-dev)' };
  // with JUCE, optimizing takes as long as all other builds together
  const options = kind === 'juce' ? [DEBUG, `-DTONEROW_JUCE=${own ?? ''}`] : [];
  return steps([
    [
      'npx',
      ['vitest', 'run', 'test/examples/new-project.test.ts'],
      {
        TONEROW_NEW_KIND: kind,
        TONEROW_NEW_FOLDER: path.join(CACHE, `new-${kind}`),
        TONEROW_NEW_OPTIONS: [`-DTONEROW_BACKEND=${found.backend}`, ...options].join(' '),
      },
    ],
  ]);
}

/** Why nothing of JUCE can be built here, or with which compiler it is. */
function withJuce(compiler: Parts['compiler'], sanitizers = ''): string | { compiler: string; options: string[] } {
  const own = process.env.TONEROW_JUCE_SOURCE;
  const found = partsOf({ compiler, backends: ['sodium'], sanitizers });
  if (typeof found === 'string') return found;
  if (!own && !existsSync('/usr/share/juce/modules'))
    return 'JUCE is not installed (apt-get install juce-modules-source)';
  return {
    compiler: found.compiler,
    options: [`-DCMAKE_CXX_COMPILER=${found.compiler}`, `-DTONEROW_JUCE=${own ?? ''}`],
  };
}

/** The node of a HISE plugin, in a stand-in for HISE. */
async function hise(): Promise<Outcome> {
  if (!canCompile('g++', 'curl/curl.h')) return NO_CURL;
  const all: Step[] = [];
  for (const compiler of ['g++', 'clang++'] as const) {
    const found = withJuce(compiler);
    if (typeof found === 'string') return { ok: null, output: found };
    const folder = path.join(CACHE, `hise-${compiler}`);
    const monocypher = `-DTONEROW_MONOCYPHER=${process.env.TONEROW_MONOCYPHER ?? ''}`;
    all.push(
      ['cmake', ['-S', `${SOURCE}/tests/hise`, '-B', folder, ...found.options, monocypher, DEBUG]],
      ['cmake', ['--build', folder, '--parallel', '1']],
      ['ctest', ['--test-dir', folder, '--output-on-failure']],
    );
  }
  return steps(all);
}

/**
 * Builds the project that `tonerow plugin new --hise --bridge` writes: its node is compiled, and driven by its scripts
 * against a server.
 */
async function newHise(): Promise<Outcome> {
  if (!canCompile('g++', 'curl/curl.h')) return NO_CURL;
  const found = withJuce('g++');
  if (typeof found === 'string') return { ok: null, output: found };
  const env = {
    TONEROW_HISE_FOLDER: path.join(CACHE, 'new-hise'),
    TONEROW_HISE_OPTIONS: [...found.options, DEBUG].join(' '),
  };
  return steps([['npx', ['vitest', 'run', 'test/examples/new-hise.test.ts'], env]]);
}

/**
 * Measures how much larger a release build of a plugin gets by the module. The library for signatures is a shared one.
 */
async function size(): Promise<Outcome> {
  const found = withJuce('g++');
  if (typeof found === 'string') return { ok: null, output: found };
  const folder = path.join(CACHE, 'size');
  const built = await steps([
    ['cmake', ['-S', `${SOURCE}/tests/size`, '-B', folder, ...found.options, '-DCMAKE_BUILD_TYPE=Release']],
    ['cmake', ['--build', folder, '--parallel', '1']],
  ]);
  if (!built.ok) return built;
  const bytes = async (name: string) => (await stat(path.join(folder, name))).size;
  const license = (await bytes('with-license')) - (await bytes('without'));
  const panel = (await bytes('with-panel')) - (await bytes('without'));
  const output = `the module adds ${kilobytes(license)} KB to a release build; with its panel, and what of JUCE only that uses, ${kilobytes(panel)} KB`;
  process.stdout.write(`${output}\n`);
  const ok = license < MOST_BYTES;
  return { ok, output: ok ? output : `${output}: more than ${kilobytes(MOST_BYTES)} KB` };
}

const NO_CURL: Outcome = {
  ok: null,
  output: 'libcurl is not installed (apt-get install libcurl4-openssl-dev)',
};
const MOST_BYTES = 150_000;
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(0);

/** The two ways of using it: installed, and as a folder of another project. */
async function consumers(): Promise<Outcome> {
  const found = partsOf({ compiler: 'g++', backends: ['sodium', 'openssl'] });
  if (typeof found === 'string') return { ok: null, output: found };
  const folder = path.join(CACHE, 'consumers');
  await rm(folder, { recursive: true, force: true });
  const backend = `-DTONEROW_BACKEND=${found.backend}`;
  const built = path.join(CACHE, 'slice');
  if (!existsSync(path.join(built, 'libtonerow_core.a'))) return { ok: false, output: 'run the build "slice" first' };
  return steps([
    ['cmake', ['--install', built, '--prefix', `${folder}/prefix`]],
    ...['INSTALLED', 'FOLDER'].flatMap((way): Step[] => [
      [
        'cmake',
        [
          '-S',
          `${SOURCE}/tests/consumer`,
          '-B',
          `${folder}/${way}`,
          backend,
          `-DWAY=${way}`,
          `-DCMAKE_PREFIX_PATH=${folder}/prefix`,
        ],
      ],
      ['cmake', ['--build', `${folder}/${way}`]],
      [`${folder}/${way}/consumer`, []],
    ]),
  ]);
}

/** The module with the real JUCE; with a display of its own, the panel too, whose pictures are in .cache/plugin/juce/pictures. */
async function juce(): Promise<Outcome> {
  const own = process.env.TONEROW_JUCE_SOURCE;
  const missing = partsOf({ compiler: 'g++', backends: ['sodium'] });
  if (typeof missing === 'string') return { ok: null, output: missing };
  if (!own && !existsSync('/usr/share/juce/modules'))
    return { ok: null, output: 'JUCE is not installed (apt-get install juce-modules-source)' };
  const folder = path.join(CACHE, 'juce');
  const hasPanel = hasDisplay();
  const pictures = path.join(folder, 'pictures');
  await rm(pictures, { recursive: true, force: true });
  await mkdir(pictures, { recursive: true });
  const options = [`-DTONEROW_JUCE=${own ?? ''}`, `-DTONEROW_PANEL=${hasPanel ? 'ON' : 'OFF'}`, DEBUG];
  return steps([
    ['cmake', ['-S', `${SOURCE}/tests/juce`, '-B', folder, ...options]],
    ['cmake', ['--build', folder, '--parallel', '1']],
    testsIn(folder, hasPanel, { TONEROW_PICTURES: pictures }),
  ]);
}

/**
 * The module with another compiler or with sanitizers: what has threads, files and a network; `panel` adds the panel where a
 * display can be had.
 */
async function juceModule(
  name: string,
  compiler: Parts['compiler'],
  sanitizers = '',
  { panel = false } = {},
): Promise<Outcome> {
  const found = withJuce(compiler, sanitizers);
  if (typeof found === 'string') return { ok: null, output: found };
  const folder = path.join(CACHE, name);
  const hasPanel = panel && hasDisplay();
  const options = [
    ...found.options,
    `-DTONEROW_SANITIZE=${sanitizers}`,
    `-DTONEROW_PANEL=${hasPanel ? 'ON' : 'OFF'}`,
    DEBUG,
  ];
  // reports about JUCE's own code are suppressed
  const suppressed = `suppressions=${SOURCE}/tests/juce/thread-suppressions.txt`;
  const env = { TSAN_OPTIONS: `${TSAN.TSAN_OPTIONS} ${suppressed}` };
  return steps([
    ['cmake', ['-S', `${SOURCE}/tests/juce`, '-B', folder, ...options]],
    ['cmake', ['--build', folder, '--parallel', '1']],
    testsIn(folder, hasPanel, env),
  ]);
}

/** Whether there is a display for the panel; where there is none, a line that it is skipped. */
function hasDisplay(): boolean {
  const has = isInstalled('Xvfb') || existsSync('/usr/bin/xvfb-run');
  if (!has) process.stdout.write('skipped: the panel: xvfb-run is not installed (apt-get install xvfb)\n');
  return has;
}

function testsIn(folder: string, hasPanel: boolean, env: Record<string, string>): Step {
  const args = ['--test-dir', folder, '--output-on-failure'];
  return hasPanel ? ['xvfb-run', ['-a', 'ctest', ...args], env] : ['ctest', args, env];
}
