/** The data of an account that its holder downloads, in sections and pages of bounded size. */
export interface ExportPage {
  /** The name of the section; a section without rows has one empty page. */
  section: string;
  rows: readonly ExportRow[];
  /** The place of the next page, null at the end. */
  next: ExportCursor | null;
}

/** A row as JSON: times in ISO 8601. Contains no secret and no digest of one. */
export type ExportRow = Readonly<Record<string, unknown>>;

/** The place of a page: the number of its section, and the key of the last row before it. */
export interface ExportCursor {
  section: number;
  after: readonly unknown[] | null;
}
