/** The response limits of a listener, in bytes. */
export interface ResponseLimits {
  /** Maximum size of a result or error that is buffered as a whole. */
  readonly response: number;
  /**
   * Maximum size of all responses of a batch; the response that exceeds it is the last one with a
   * result.
   */
  readonly batch: number;
  /** Maximum size of unread responses of one connection. */
  readonly connection: number;
  /** Maximum size of unread responses of all connections. */
  readonly total: number;
}

/** The name of one of the limits. */
export type ResponseLimit = keyof ResponseLimits;

/** The part of a connection's budget that the dispatcher uses. */
export interface ResponseBudget {
  readonly maxBatchBytes: number;
  /** Reserves memory for a response; `false` if a limit forbids it. */
  claim(bytes: number): boolean;
  /** Releases reserved memory, once the response is sent or dropped. */
  release(bytes: number): void;
  /** Records that a limit replaced a response by an error. */
  exceeded(limit: ResponseLimit): void;
  /** Closes the connection: its client does not read. */
  disconnect(): void;
}

/**
 * The memory budget of the responses of one listener.
 *
 * When all connections together exceed the limit, the one that holds most is disconnected, or gets
 * an error if it is the one that requests more.
 */
export class ListenerBudget {
  readonly limits: ResponseLimits;
  readonly #onExceeded: (limit: ResponseLimit) => void;
  readonly #connections = new Set<ConnectionBudget>();
  #held = 0;

  constructor(limits: ResponseLimits, onExceeded: (limit: ResponseLimit) => void) {
    this.limits = limits;
    this.#onExceeded = onExceeded;
  }

  /** Currently reserved bytes. */
  get heldBytes(): number {
    return this.#held;
  }

  /** The budget of a new connection, and how to end it. */
  open(disconnect: () => void): ConnectionBudget {
    const connection = new ConnectionBudget(this, disconnect);
    this.#connections.add(connection);
    return connection;
  }

  /** Removes a connection. */
  remove(connection: ConnectionBudget): void {
    this.#connections.delete(connection);
  }

  /** Counts bytes that a connection reserved or, if negative, released. */
  add(bytes: number): void {
    this.#held += bytes;
  }

  /** Frees memory for a connection; `false` if it holds most itself. */
  makeRoom(bytes: number, connection: ConnectionBudget): boolean {
    while (this.#held + bytes > this.limits.total) {
      const largest = this.#findLargest();
      if (largest === undefined || largest.heldBytes < connection.heldBytes + bytes) return false;
      this.#onExceeded("total");
      largest.disconnect();
    }
    return true;
  }

  /** Records that a limit was hit. */
  exceeded(limit: ResponseLimit): void {
    this.#onExceeded(limit);
  }

  #findLargest(): ConnectionBudget | undefined {
    let largest: ConnectionBudget | undefined;
    for (const connection of this.#connections) {
      if (connection.heldBytes > (largest?.heldBytes ?? 0)) largest = connection;
    }
    return largest;
  }
}

/** The memory of the responses of one connection until the client has read them. */
export class ConnectionBudget implements ResponseBudget {
  readonly #listener: ListenerBudget;
  readonly #disconnect: () => void;
  #held = 0;
  #isClosed = false;

  constructor(listener: ListenerBudget, disconnect: () => void) {
    this.#listener = listener;
    this.#disconnect = disconnect;
  }

  /** Currently reserved bytes. */
  get heldBytes(): number {
    return this.#held;
  }

  get maxBatchBytes(): number {
    return this.#listener.limits.batch;
  }

  claim(bytes: number): boolean {
    const exceeded = this.#findExceeded(bytes);
    if (exceeded !== undefined) {
      this.exceeded(exceeded);
      return false;
    }
    // Responses to a disconnected client are about to be dropped.
    if (this.#isClosed) return true;
    this.#held += bytes;
    this.#listener.add(bytes);
    return true;
  }

  release(bytes: number): void {
    if (this.#isClosed) return;
    this.#held -= bytes;
    this.#listener.add(-bytes);
  }

  exceeded(limit: ResponseLimit): void {
    this.#listener.exceeded(limit);
  }

  /** Closes the connection and releases all it holds. */
  disconnect(): void {
    this.close();
    this.#disconnect();
  }

  /** Releases all that the connection holds. */
  close(): void {
    if (this.#isClosed) return;
    this.#listener.add(-this.#held);
    this.#held = 0;
    this.#isClosed = true;
    this.#listener.remove(this);
  }

  #findExceeded(bytes: number): ResponseLimit | undefined {
    const { response, connection } = this.#listener.limits;
    if (bytes > response) return "response";
    // A connection without unread responses gets the next one, however small its buffer.
    if (this.#held > 0 && this.#held + bytes > connection) return "connection";
    return this.#listener.makeRoom(bytes, this) ? undefined : "total";
  }
}
