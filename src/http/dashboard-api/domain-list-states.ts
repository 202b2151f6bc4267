/**
 * The lists of domains, as the dashboard shows them. The types are declared here and not imported: the types
 * of these routes are also compiled for the dashboard, without the modules that implement them.
 */
export interface DomainListStates {
  getStatus(): readonly DomainListState[];
  /** Uses the list that this source offers. Resolves to false if it offers none. */
  accept(source: string): Promise<boolean>;
}

/** The state of one list. */
export interface DomainListState {
  kind: 'bundled' | 'fetched' | 'allowed' | 'blocked';
  /** The URL or the path of the list; '' for the bundled one. */
  source: string;
  entries: number;
  updatedAtMs: number | null;
  dropped: { malformed: number; public_suffix: number; never_disposable: number } | null;
  refresh: {
    atMs: number;
    outcome: 'replaced' | 'unchanged' | 'accepted' | 'offered' | 'refused' | 'failed';
    reason: string | null;
  } | null;
  offered: { entries: number; fetchedAtMs: number } | null;
}
