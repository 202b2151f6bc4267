/** A reason why the service cannot start that its operator can fix, in one line. */
export class StartError extends Error {
  override name = 'StartError';
}
