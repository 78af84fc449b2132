/** Detects the computers that a file is for, by the words of its label, as customers read it, or else of its name. */

export const SYSTEMS = ['macos', 'windows', 'linux'] as const;
export type System = (typeof SYSTEMS)[number];
export const ARCHES = ['arm64', 'x86_64'] as const;
export type Arch = (typeof ARCHES)[number];

export interface Platform {
  os: System | null;
  arch: Arch | null;
}

const OS: [System, RegExp][] = [
  ['macos', /\bmac(?:os|intosh)?\b|\bos ?x\b|\bapple\b|\.(?:pkg|dmg|component)\b/i],
  ['windows', /\bwin(?:dows|32|64)?\b|\.(?:exe|msi)\b/i],
  ['linux', /\blinux\b|\bubuntu\b|\bdebian\b|\.(?:deb|rpm|tar\.\w+|tgz|appimage)\b/i],
];
const ARM = /\barm(?:64)?\b|aarch64|apple silicon|\bm[1-9]\b/i;
const INTEL = /intel|x86|\bx64\b|amd64|\bwin64\b/i;

function osIn(text: string): System | null {
  return OS.find(([, words]) => words.test(text))?.[0] ?? null;
}

/** Null for both: a universal file fits either. */
function archIn(text: string): Arch | null {
  if (/universal/i.test(text)) return null;
  const [isArm, isIntel] = [ARM.test(text), INTEL.test(text)];
  return isArm === isIntel ? null : isArm ? 'arm64' : 'x86_64';
}

export function platformOf(label: string, name: string): Platform {
  const [own, file] = [label.replaceAll('_', ' '), name.replaceAll('_', ' ')];
  const os = osIn(own) ?? osIn(file);
  const namesArch = /universal/i.test(own) || archIn(own) !== null;
  return { os, arch: namesArch ? archIn(own) : archIn(file) };
}

/** The platform behind a plugin's names for its computer: "Mac OSX 14.4", "Windows 11", "x86_64", "aarch64". */
export function computerOf(os: string | null, arch: string | null): Platform {
  const system = os ?? '';
  const isMac = /mac|os ?x|darwin/i.test(system);
  return {
    os: isMac ? 'macos' : /win/i.test(system) ? 'windows' : /linux/i.test(system) ? 'linux' : null,
    arch: archIn(arch ?? ''),
  };
}

/**
 * The one file that is for a computer: of its system, and of its processor or of none. One that names the processor is
 * preferred. Undefined where no file or more than one fits: a wrong installer is worse than a page to choose on.
 */
export function fileFor<File extends Platform>(files: readonly File[], { os, arch }: Platform): File | undefined {
  if (os === null) return undefined;
  const fits = files.filter((file) => file.os === os && (file.arch === null || file.arch === arch));
  const exact = fits.filter((file) => file.arch !== null);
  const [found, ...more] = exact.length > 0 ? exact : fits;
  return more.length === 0 ? found : undefined;
}
