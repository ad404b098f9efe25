import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** How to start a Chromium that works on this machine. */
export interface Browser {
  readonly executablePath: string;
  readonly args: string[];
  /** Added only to the environment of the browser. */
  readonly env: Readonly<Record<string, string>>;
}

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
/** As root there is no sandbox to enter. */
const ARGS = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/**
 * The browser for the tests: the one in `CHROME_PATH`, an installed one, the one that comes with `npm ci` (which
 * needs no system library), or, as root on Debian, a newly installed one.
 *
 * @param isLight prefers the one that comes with `npm ci` to an installed one: it is the same engine without windows,
 *   menus and a graphics process, and uses half the processor time
 * @throws {Error} saying what to install
 */
export async function findBrowser({ isLight = false } = {}): Promise<Browser> {
  const given = process.env.CHROME_PATH;
  if (given) {
    if (works(given)) return { executablePath: given, args: ARGS, env: {} };
    throw new Error(`CHROME_PATH: «${given}» is not a browser that runs.`);
  }
  const found = isLight
    ? ((await packaged()) ?? installed() ?? installedNow())
    : (installed() ?? (await packaged()) ?? installedNow());
  if (found) return found;
  throw new Error('No browser: install Chrome or Chromium, or name one in CHROME_PATH.');
}

function installed(): Browser | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), MAC];
  const executablePath = paths.find((path) => existsSync(path) && works(path));
  return executablePath ? { executablePath, args: ARGS, env: {} } : null;
}

/** `@sparticuz/chromium` and the libraries it carries, unpacked in a folder of this user and version. */
async function packaged(): Promise<Browser | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const root = entry.slice(0, entry.indexOf('chromium/') + 'chromium'.length);
  const { version } = createRequire(import.meta.url)(join(root, 'package.json'));
  const folder = join(tmpdir(), `huella-chromium-${version}-${userInfo().uid}`);
  const executablePath = join(folder, 'chromium');
  const env = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  const isGood = () => existsSync(executablePath) && works(executablePath, env);
  if (!(await fillFolder(folder, isGood, (draft) => unpack(root, draft)))) return null;
  return { executablePath, args: ['--no-sandbox', '--no-zygote'], env };
}

/**
 * Fills a folder that is not good, all or nothing: what was left half way would never be good, and whatever is there
 * is taken for the whole. Of two at once, both keep the folder of one of them.
 *
 * @returns whether it is good now
 */
export async function fillFolder(
  folder: string,
  isGood: () => boolean,
  fill: (draft: string) => Promise<unknown>,
): Promise<boolean> {
  if (isGood()) return true;
  const draft = mkdtempSync(`${folder}.`);
  try {
    await fill(draft);
    if (isGood()) return true; // Another process was faster.
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return isGood();
}

/** It unpacks into the temporary folder that is configured. */
async function unpack(root: string, folder: string): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const unpacker = join(root, 'build', 'esm', 'lambdafs.js'); // Not among its exports.
    const { inflate } = await import(pathToFileURL(unpacker).href);
    await inflate(join(root, 'bin', 'al2023.tar.br'));
    await chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

function installedNow(): Browser | null {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null;
  try {
    const options = {
      stdio: 'inherit' as const,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    execFileSync('apt-get', ['update', '-q'], options);
    execFileSync(
      'apt-get',
      ['install', '-y', '-q', '--no-install-recommends', 'chromium'],
      options,
    );
  } catch {
    return null;
  }
  return installed();
}

function works(path: string, env: Readonly<Record<string, string>> = {}): boolean {
  const { status } = spawnSync(path, ['--version'], { env: { ...process.env, ...env } });
  return status === 0;
}
