/** The server cannot be reached, or does not accept connections yet: this may pass by itself. */
export class ServerUnreachable extends Error {
  override name = 'ServerUnreachable';
}
