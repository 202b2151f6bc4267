/** Copies the packages of the built tree. */
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { FONT_PACKAGES } from '../setup/font-packages.mjs';
import { listNeeded, type Lock } from '../setup/packages.mjs';

/** Packages whose files only the set-up reads. The browser's own dependencies are for a cloud function. */
const BROWSER_PACKAGE = '@sparticuz/chromium';
const SETUP_PACKAGES = new Set(['wawoff2', ...FONT_PACKAGES.map(({ name }) => name)]);
const FONTS = new Map(FONT_PACKAGES.map(({ name, files }) => [`node_modules/${name}`, files]));
/** TypeScript and source maps, which Node does not read in packages, and the files of repositories. */
const UNUSED = /\.([cm]?ts|map)$|^\.|\/\./;
const FONT = /\.(ttf|otf|woff2?)$/;

/**
 * Lists the folders of the packages that the tree has: those of `dependencies` in package.json and of all
 * that they need. Optional packages are left out: they are for other platforms. Without the set-up, the
 * packages of the browser and the fonts are left out too.
 */
export function listPackageFolders(
  root: string,
  dependencies: Record<string, string>,
  withoutSetup: boolean,
): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Lock;
  };
  const kept = Object.entries(dependencies).filter(([name]) => !withoutSetup || !SETUP_PACKAGES.has(name));
  const needed = listNeeded({ ...packages, '': { dependencies: Object.fromEntries(kept) } }, ['']);
  const folders = needed.filter((folder) => packages[folder]?.optional !== true);
  return withoutSetup ? folders : [...folders, `node_modules/${BROWSER_PACKAGE}`];
}

/** Copies a package without the packages in it: they have folders of their own in the list. */
export function copyPackage(root: string, target: string, folder: string): void {
  const from = join(root, folder);
  if (!existsSync(join(from, 'package.json')))
    throw new Error(`${folder} is not installed: run "npm run setup" and build again`);
  const usedFonts = FONTS.get(folder);
  cpSync(from, join(target, folder), {
    recursive: true,
    dereference: true,
    filter(path) {
      const name = relative(from, path);
      if (name.split('/')[0] === 'node_modules') return false;
      if (usedFonts && FONT.test(name)) return usedFonts.test(path);
      return !UNUSED.test(name);
    },
  });
  normalizeModes(join(target, folder));
}

/** Sets the modes of a folder's content: those of npm depend on the umask of who installed the packages. */
function normalizeModes(folder: string): void {
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) normalizeModes(path);
    else chmodSync(path, 0o644);
  }
}
