/**
 * Formats the URL of a database for `pg_dump` and `pg_restore`: without the password, and with the `sslmode`
 * that libpq has for that of this service.
 */
export function formatClientUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = '';
  url.searchParams.delete('password');
  const mode = url.searchParams.get('sslmode');
  if (mode === 'require') url.searchParams.set('sslmode', 'verify-full');
  // libpq does not verify with `require`.
  if (mode === 'no-verify') url.searchParams.set('sslmode', 'require');
  return url.href;
}
