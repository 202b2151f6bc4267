/**
 * A server that is reached and cannot be used until REDIS_URL is corrected. The message says why and what to
 * correct; it contains no credentials.
 */
export class RedisRefusal extends Error {
  override name = 'RedisRefusal';
}

/** Replies to AUTH, HELLO and SELECT, and to commands that the user may not call. */
const CREDENTIALS = /^(NOAUTH|WRONGPASS|NOPERM|ERR (AUTH|DB index|invalid password|invalid DB index))/;
/** Codes of OpenSSL and Node if a certificate is not accepted: that of the server, or that of the client. */
const CERTIFICATE = /CERT|SIGNATURE|ISSUER|ALTNAME|CRL|HOSTNAME_MISMATCH|ALERT_UNKNOWN_CA/;

/**
 * Returns why the server refuses this URL, or null if the error may pass by itself. The error is not kept as
 * the cause: ioredis adds the command to it, with the password.
 */
export function toRefusal(error: Error): RedisRefusal | null {
  // OpenSSL's messages name its source lines; its reasons do not.
  const { message, code = '', reason = message } = error as NodeJS.ErrnoException & { reason?: string };
  if (CREDENTIALS.test(message))
    return new RedisRefusal(`${message}. Correct the user, the password or the database of REDIS_URL`);
  if (CERTIFICATE.test(code))
    return new RedisRefusal(
      `${reason}. Correct the host of REDIS_URL, name its CA with ?sslrootcert=<file>, or the certificate of the client with sslcert and sslkey`,
    );
  return null;
}
