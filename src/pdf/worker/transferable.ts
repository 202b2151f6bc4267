/** Smaller buffers may lie in Node's shared pool, which cannot be transferred; to clone them costs nothing. */
const MIN_BYTES = 64 * 1024;

/** Finds the buffers in a message that are transferred between threads instead of cloned. */
export function findTransferable(message: unknown): ArrayBuffer[] {
  if (message instanceof Uint8Array) {
    const { buffer } = message;
    return message.byteLength >= MIN_BYTES && buffer instanceof ArrayBuffer ? [buffer] : [];
  }
  if (typeof message !== 'object' || message === null) return [];
  return Object.values(message).flatMap(findTransferable);
}
