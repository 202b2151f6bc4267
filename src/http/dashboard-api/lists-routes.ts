import { ApiError } from '#errors';
import { type Static, Type } from 'typebox';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps, DomainListState } from './account-deps.ts';
import { formatTime, formatTimeOrNull } from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { text } from './parse-input.ts';

const ADMINISTRATORS = { audience: 'administrators' } as const;

const dropped = strict({
  malformed: Type.Integer(),
  public_suffix: Type.Integer(),
  never_disposable: Type.Integer(),
});

const offered = strict({ entries: Type.Integer(), fetched_at: Type.String() });

const listJson = strict({
  kind: Type.Enum(['bundled', 'fetched', 'allowed', 'blocked']),
  source: nullable('string'),
  entries: Type.Integer(),
  suspected: nullable('integer'),
  updated_at: nullable('string'),
  dropped: Type.Union([dropped, Type.Null()]),
  refreshed_at: nullable('string'),
  outcome: Type.Union([
    Type.Enum(['replaced', 'unchanged', 'accepted', 'offered', 'refused', 'failed']),
    Type.Null(),
  ]),
  reason: nullable('string'),
  offered: Type.Union([offered, Type.Null()]),
});

const RESPONSE = { 200: strict({ lists: Type.Array(listJson) }) };

/** Adds the endpoints of the lists of domains, for administrators: their state, and accepting a change. */
export function routeLists(scope: AccountScope, { lists }: AccountDeps): void {
  const getLists = (): { lists: Static<typeof listJson>[] } => ({ lists: lists.getStatus().map(toListJson) });
  scope.get('/admin/lists', {
    config: ADMINISTRATORS,
    schema: { response: RESPONSE },
    handler: async () => getLists(),
  });
  scope.post('/admin/lists/accept', {
    config: ADMINISTRATORS,
    schema: { body: strict({ source: text(8192) }), response: RESPONSE },
    handler: async (request) => {
      if (!(await lists.accept(request.body.source)))
        throw new ApiError('not_found', 'This list offers no change that waits to be accepted.');
      return getLists();
    },
  });
}

function toListJson(list: DomainListState): Static<typeof listJson> {
  const { kind, source, entries, suspected, updatedAtMs, dropped, refresh, offered } = list;
  return {
    kind,
    source: source || null,
    entries,
    suspected,
    updated_at: formatTimeOrNull(updatedAtMs),
    dropped,
    refreshed_at: formatTimeOrNull(refresh?.atMs ?? null),
    outcome: refresh?.outcome ?? null,
    reason: refresh?.reason ?? null,
    offered: offered && { entries: offered.entries, fetched_at: formatTime(offered.fetchedAtMs) },
  };
}
