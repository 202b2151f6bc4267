import standalone from 'ioredis/built/connectors/StandaloneConnector.js';

type Connector = InstanceType<typeof standalone.default>;

/**
 * Opens the sockets of a client. ioredis listens for one error of each socket; a TLS socket that is closed
 * during its handshake has two, and an error without a listener is one of the process.
 */
export class QuietConnector extends standalone.default {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof standalone.default>[0]);
  }

  override async connect(...args: Parameters<Connector['connect']>): ReturnType<Connector['connect']> {
    const stream = await super.connect(...args);
    stream.on('error', () => {});
    return stream;
  }
}
