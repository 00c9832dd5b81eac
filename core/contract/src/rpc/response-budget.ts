/** The limits of a listener for its responses, in bytes. */
export interface ResponseLimits {
  /** The largest result or error that is held in memory as a whole. */
  readonly response: number;
  /** All responses of one batch; the response that exceeds it is the last one with a result. */
  readonly batch: number;
  /** Responses in memory that one connection has not read yet. */
  readonly connection: number;
  /** Responses in memory that all connections have not read yet. */
  readonly total: number;
}

/** The name of one of the limits. */
export type ResponseLimit = keyof ResponseLimits;

/** The part of a connection's budget that the dispatcher uses. */
export interface ResponseBudget {
  readonly maxBatchBytes: number;
  /** Reserves memory for a response; `false` when a limit forbids it. */
  claim(bytes: number): boolean;
  /** Gives back what was reserved, once the response is sent or dropped. */
  release(bytes: number): void;
  /** Records that a limit replaced a response by an error. */
  exceeded(limit: ResponseLimit): void;
  /** Ends the connection: its client does not read. */
  disconnect(): void;
}

/**
 * The memory that the responses of one listener may take.
 *
 * When all connections together exceed the limit, the one that holds most pays: it is disconnected,
 * or gets an error when it is the one that asks for more.
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

  /** The bytes that are reserved now. */
  get heldBytes(): number {
    return this.#held;
  }

  /** The budget of a new connection, and how to end it. */
  open(disconnect: () => void): ConnectionBudget {
    const connection = new ConnectionBudget(this, disconnect);
    this.#connections.add(connection);
    return connection;
  }

  /** Forgets a connection. */
  remove(connection: ConnectionBudget): void {
    this.#connections.delete(connection);
  }

  /** Counts bytes that a connection reserved or, when negative, gave back. */
  add(bytes: number): void {
    this.#held += bytes;
  }

  /** Makes room for more bytes of a connection; `false` when it holds most itself. */
  makeRoom(bytes: number, connection: ConnectionBudget): boolean {
    while (this.#held + bytes > this.limits.total) {
      const largest = this.#findLargest();
      if (largest === undefined || largest.heldBytes < connection.heldBytes + bytes) return false;
      this.#onExceeded("total");
      largest.disconnect();
    }
    return true;
  }

  /** Records that a limit was met. */
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

/** The memory that the responses of one connection take until the client has read them. */
export class ConnectionBudget implements ResponseBudget {
  readonly #listener: ListenerBudget;
  readonly #disconnect: () => void;
  #held = 0;
  #isClosed = false;

  constructor(listener: ListenerBudget, disconnect: () => void) {
    this.#listener = listener;
    this.#disconnect = disconnect;
  }

  /** The bytes that are reserved now. */
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
    // What a client that has left would have got is about to be dropped.
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

  /** Ends the connection and gives back all it holds. */
  disconnect(): void {
    this.close();
    this.#disconnect();
  }

  /** Gives back all that the connection holds. */
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
    // A connection without unread responses gets the next one, however small its buffer is.
    if (this.#held > 0 && this.#held + bytes > connection) return "connection";
    return this.#listener.makeRoom(bytes, this) ? undefined : "total";
  }
}
