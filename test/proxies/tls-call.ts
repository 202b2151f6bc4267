/** Requests over TLS to a proxy on loopback, from any address of loopback. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';

export interface TlsCall {
  port: number;
  /** The name of the certificate, and the certificate of its CA. */
  host: string;
  ca: string;
}

/** A proxy of a test. */
export interface TlsProxy extends AsyncDisposable {
  target: TlsCall;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface CallOptions {
  /** The address of this client. */
  from?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** Sends a request and returns its response as soon as its head has arrived. */
export async function openCall(
  target: TlsCall,
  path: string,
  options: CallOptions = {},
): Promise<IncomingMessage> {
  const { from = '127.0.0.1', method = 'GET', headers = {}, body } = options;
  const sent = request({
    host: '127.0.0.1',
    port: target.port,
    servername: target.host,
    ca: target.ca,
    localAddress: from,
    agent: false,
    method,
    path,
    headers: { host: target.host, ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Sends a request and returns its whole response. */
export async function call(target: TlsCall, path: string, options: CallOptions = {}): Promise<Reply> {
  const response = await openCall(target, path, options);
  const chunks = await response.toArray();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks as Buffer[]),
  };
}
