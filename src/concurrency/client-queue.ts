/** A queue of items, each of a client. Clients alternate; the items of one client keep their order. */
export class ClientQueue<T> {
  readonly #byClient = new Map<string, T[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(client: string, item: T): void {
    const items = this.#byClient.get(client);
    if (items === undefined) this.#byClient.set(client, [item]);
    else items.push(item);
    this.#length += 1;
  }

  /** Removes the next item; undefined if there is none. */
  take(): T | undefined {
    const [next] = this.#byClient;
    if (next === undefined) return undefined;
    const [client, items] = next;
    const item = items.shift();
    this.#byClient.delete(client);
    if (items.length > 0) this.#byClient.set(client, items);
    this.#length -= 1;
    return item;
  }
}
