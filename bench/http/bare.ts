/** The upper limit: a bare node:http server that sends fixed headers and a fixed body. */
import { createServer } from 'node:http';

const { headers, body } = JSON.parse(process.argv[2] ?? '{}') as {
  headers: [string, string][];
  body: string;
};
const fixed = Object.fromEntries(
  headers.filter(([name]) => !/^(date|connection|keep-alive|transfer-encoding)$/i.test(name)),
);
const server = createServer((_request, response) => {
  response.writeHead(200, fixed);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
