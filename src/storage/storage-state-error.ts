/** A state of the database that its operator has to change. The message says how. */
export class StorageStateError extends Error {
  override name = 'StorageStateError';
}
