import type { ProductCard } from '@tonerow/sdk';

export type System = 'mac' | 'windows' | 'linux';
type Chip = 'arm' | 'intel';
type File = ProductCard['files'][number] & { index: number };

export interface Computer {
  /** Null on a phone, where nothing can be installed. */
  system: System | null;
  /** Null if the browser does not show it. */
  chip: Chip | null;
}

interface Hints {
  platform?: string;
  getHighEntropyValues?(names: string[]): Promise<{ architecture?: string }>;
}

/** The facts that the browser shows about the computer it runs on. */
export async function thisComputer(from: { userAgent: string; userAgentData?: Hints }): Promise<Computer> {
  const { userAgent, userAgentData: hints } = from;
  const text = hints?.platform || userAgent;
  if (/android|iphone|ipad|mobile/i.test(`${userAgent} ${hints?.platform ?? ''}`)) return { system: null, chip: null };
  const system = /mac/i.test(text) ? 'mac' : /win/i.test(text) ? 'windows' : /linux|x11/i.test(text) ? 'linux' : null;
  const more = await hints?.getHighEntropyValues?.(['architecture']).catch(() => null);
  const chip = more?.architecture === 'arm' ? 'arm' : more?.architecture === 'x86' ? 'intel' : null;
  return { system, chip };
}

const SYSTEMS: [System, RegExp][] = [
  ['mac', /\bmac(?:os|intosh)?\b|\bos ?x\b|\bapple\b|\.(?:pkg|dmg|component)\b/i],
  ['windows', /\bwin(?:dows|32|64)?\b|\.(?:exe|msi)\b/i],
  ['linux', /\blinux\b|\bubuntu\b|\bdebian\b|\.(?:deb|rpm|tar\.\w+|tgz|appimage)\b/i],
];

/** Finds the system by the words in a file's label; null for a file for all systems, such as a manual. */
export function systemOf(label: string): System | null {
  const words = label.replaceAll('_', ' ');
  return SYSTEMS.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

function chipOf(label: string): Chip | null {
  const words = label.replaceAll('_', ' ');
  if (/universal/i.test(words)) return null;
  const [arm, intel] = [/\barm(?:64)?\b|aarch64|apple silicon|\bm[1-9]\b/i, /intel|x86|\bx64\b|amd64/i];
  return arm.test(words) ? 'arm' : intel.test(words) ? 'intel' : null;
}

/** Files for this computer, then those for every one; what is for another computer is apart. */
export function sorted(files: ProductCard['files'], { system, chip }: Computer): { here: File[]; elsewhere: File[] } {
  const all = files.map((file, index) => ({ ...file, index }));
  const fits = (file: File) => {
    const made = chipOf(file.name);
    return systemOf(file.name) === system && (!chip || !made || made === chip);
  };
  const own = system === null ? [] : all.filter(fits);
  if (own.length === 0) return { here: all, elsewhere: [] };
  const neutral = all.filter((file) => systemOf(file.name) === null);
  return {
    here: [...own, ...neutral],
    elsewhere: all.filter((file) => !own.includes(file) && !neutral.includes(file)),
  };
}
