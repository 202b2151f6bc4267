/** Unpacks tar archives. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes the plain files of a tar archive (POSIX ustar) below `folder`. `place` returns the name of each file
 * there, or null to leave it out. Throws if a name leads out of the folder.
 */
export function untar(archive, folder, place = (name) => name) {
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0;) {
    const name = parseField(archive, at, 100);
    const size = Number.parseInt(parseField(archive, at + 124, 12), 8) || 0;
    const type = String.fromCharCode(archive[at + 156]);
    if (name.startsWith('/') || name.split('/').includes('..'))
      throw new Error(`The archive has a file outside of its folder: ${name}`);
    const placed = type === '0' || type === '\0' ? place(name) : null;
    if (placed !== null) {
      const path = join(folder, placed);
      mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
      writeFileSync(path, archive.subarray(at + 512, at + 512 + size), {
        mode: Number.parseInt(parseField(archive, at + 100, 8), 8) & 0o111 ? 0o755 : 0o644,
      });
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

/** Returns a field of a header, which ends at its length or at NUL. */
function parseField(archive, at, length) {
  const field = archive.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end < 0 ? length : end).trim();
}
