/** Requests to the dashboard's API, as a browser sends them. */
import { PASSWORD } from '../../test/dashboard/open-dashboard.ts';
import type { TestApp } from '../../test/support/start-app.ts';

export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36';

/** Sends a request and returns its response. */
export async function send<T>(
  service: TestApp,
  path: string,
  body: unknown,
  cookie = '',
  method = 'POST',
): Promise<T> {
  const response = await post(service, path, body, cookie, method);
  return (response.status === 204 ? null : await response.json()) as T;
}

/** Signs in. Returns the cookies of the session. */
export async function signIn(service: TestApp, email: string): Promise<string> {
  const response = await post(service, '/account/sign-in', { email, password: PASSWORD }, '', 'POST');
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

async function post(
  service: TestApp,
  path: string,
  body: unknown,
  cookie: string,
  method: string,
): Promise<Response> {
  const response = await service.call(path, null, {
    method,
    headers: {
      cookie,
      origin: service.url,
      'user-agent': USER_AGENT,
      ...(body !== null && { 'content-type': 'application/json' }),
    },
    ...(body !== null && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}
