/** The reason why a document cannot be an archive: a sentence for its sender. */
export class ArchiveFault extends Error {
  override name = 'ArchiveFault';
}
