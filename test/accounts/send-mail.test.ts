import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createMailSender } from '#accounts/sign-in';

/** Starts a mail server on loopback that receives one message at a time; `refuses` refuses all recipients. */
async function openMailServer(refuses = false) {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let data: string | null = null;
    socket.setEncoding('utf8').write('220 mail.example ESMTP\r\n');
    socket.on('data', (chunk: string) => {
      if (data !== null) data += chunk;
      else if (/^DATA/i.test(chunk)) {
        data = '';
        socket.write('354 go on\r\n');
      } else if (/^QUIT/i.test(chunk)) socket.end('221 bye\r\n');
      else if (refuses && /^RCPT/i.test(chunk)) socket.write('550 no such user\r\n');
      else socket.write('250 ok\r\n');
      if (data?.endsWith('\r\n.\r\n')) {
        messages.push(data);
        data = null;
        socket.write('250 taken\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `smtp://127.0.0.1:${port}`, messages, close };
}

function openLog() {
  const lines: string[] = [];
  return {
    lines,
    warn: (message: string): void => void lines.push(message),
    error: (_details: object, message: string): void => void lines.push(message),
  };
}

const mail = {
  to: 'ann@example.com',
  subject: 'Set a new password',
  text: 'Set a new password here:\nhttps://service.example/reset-password?token=abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz\n\nBye.',
};

describe('mails', () => {
  it('are sent to the mail server with the link on one line', async () => {
    const server = await openMailServer();
    const log = openLog();
    const send = await createMailSender({ smtpUrl: server.url, from: 'Service <service@example.com>', log });
    await send(mail);
    server.close();
    assert.equal(server.messages.length, 1);
    const message = server.messages[0]?.replaceAll('=\r\n', '') ?? '';
    assert.match(message, /^From: Service <service@example\.com>\r$/m);
    assert.match(message, /^To: ann@example\.com\r$/m);
    assert.match(message, /^Subject: Set a new password\r$/m);
    assert.match(
      message,
      /^https:\/\/service\.example\/reset-password\?token=(3D)?abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz\r$/m,
    );
    assert.deepEqual(log.lines, []);
  });

  it('that are refused or cannot be sent are logged without their link, and the call resolves', async () => {
    const server = await openMailServer(true);
    const log = openLog();
    await (
      await createMailSender({ smtpUrl: server.url, from: 's@example.com', log })
    )(mail);
    server.close();
    await (
      await createMailSender({ smtpUrl: server.url, from: 's@example.com', log })
    )(mail);
    assert.deepEqual(log.lines, Array<string>(2).fill('the mail «Set a new password» could not be sent'));
  });

  it('are written to the log as a whole if there is no mail server', async () => {
    const log = openLog();
    await (
      await createMailSender({ smtpUrl: null, from: 's@example.com', log })
    )(mail);
    assert.equal(log.lines.length, 1);
    assert.ok(log.lines[0]?.includes(mail.text));
  });
});
