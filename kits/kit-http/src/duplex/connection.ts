import type { IncomingHttpHeaders } from "node:http";
import { messageOf, type RpcClient, type Runtime, yieldToLoop } from "@plinth/core";
import type { Answer, CallBudget, ConnectionBudget, Endpoint } from "@plinth/core/rpc";
import type { ResponseGuard } from "../bodies/response-guard.js";
import type { MessageScheduler } from "./message-scheduler.js";
import { type MessageSink, Outbox } from "./outbox.js";

/** The part of a message socket that a connection uses. */
export interface MessageSocket extends MessageSink {
  on(
    event: "message",
    listener: (message: { readonly length?: number; toString(): string }) => void,
  ): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  pause(): void;
  resume(): void;
  /** Closes the connection, with a code and a reason if its protocol has them. */
  close(code: number, reason: string): void;
}

/** The dependencies of a connection. */
export interface ConnectionSettings {
  readonly endpoint: Endpoint;
  readonly runtime: Runtime;
  readonly guard: ResponseGuard;
  /** Shared by all connections. */
  readonly turns: MessageScheduler;
  readonly remoteAddress: string | undefined;
  /** Of the handshake, if there was one. */
  readonly headers?: Readonly<IncomingHttpHeaders>;
  readonly calls?: CallBudget | undefined;
  /**
   * The response to a message without any request in it; the error of the dispatcher by default.
   */
  readonly answerUnparsable?: ((message: string) => string) | undefined;
}

/**
 * Maximum number of concurrently executed messages of one connection; the rest waits in the
 * network.
 */
const MAX_EXECUTING = 32;
const MAX_EXECUTING_BYTES = 1024 * 1024;
/** A client with more unread bytes in memory must read before its next message is executed. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** The close code for a client that is no longer permitted (RFC 6455, 7.4.1). */
const POLICY_VIOLATION = 1008;
/** The response to an empty message. */
const NO_REQUEST =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}';

/**
 * Connects one socket with the node: messages are bodies, responses and notifications are sent
 * back.
 */
export class Connection {
  readonly #socket: MessageSocket;
  readonly #runtime: Runtime;
  readonly #turns: MessageScheduler;
  readonly #outbox: Outbox;
  readonly #budget: ConnectionBudget;
  readonly #client: RpcClient;
  readonly #answerUnparsable: ConnectionSettings["answerUnparsable"];
  readonly #closed = new AbortController();
  #executing = 0;
  #executingBytes = 0;
  #isPaused = false;
  #expiresAt: number | undefined;
  #cancelExpiry = () => {};

  constructor(socket: MessageSocket, settings: ConnectionSettings) {
    const { endpoint, runtime, guard, turns, remoteAddress, headers, calls } = settings;
    const closed = this.#closed.signal;
    const budget = guard.budget.open(() => guard.disconnectReader(() => socket.terminate()));
    const outbox = new Outbox({ sink: socket, guard, budget, closed });
    this.#socket = socket;
    this.#runtime = runtime;
    this.#turns = turns;
    this.#outbox = outbox;
    this.#answerUnparsable = settings.answerUnparsable;
    this.#budget = budget;
    this.#client = {
      endpoint,
      budget,
      remoteAddress,
      ...(headers && { headers }),
      calls,
      closed,
      notify: (method, params) => outbox.push(JSON.stringify({ jsonrpc: "2.0", method, params })),
      written: () => outbox.written,
    };
    socket.on("message", (message) => this.#receive(message.toString()));
    socket.on("error", (error) => runtime.log.debug(`${endpoint.name}: ${error.message}`));
    socket.on("close", () => {
      budget.close();
      this.#cancelExpiry();
      this.#closed.abort();
    });
  }

  /**
   * Whether the client can be expected to respond to a ping: it is read from, and has read what it
   * received.
   */
  get isQuiet(): boolean {
    return !this.#isPaused && !this.#outbox.isBlocked;
  }

  #receive(body: string): void {
    this.#count(1, body.length);
    this.#answer(body)
      .catch((error: unknown) => {
        if (this.#closed.signal.aborted) return;
        // A message cannot be half sent, so a truncated response ends the connection.
        this.#runtime.log.warn(`a response was truncated: ${messageOf(error)}`);
        this.#socket.terminate();
      })
      .finally(() => this.#count(-1, -body.length));
  }

  async #answer(body: string): Promise<void> {
    if (body === "") return this.#outbox.send([NO_REQUEST]);
    const { outcome, parts, sent, release } = await this.#execute(body);
    this.#watchExpiry();
    const other = outcome === "unparsable" ? this.#answerUnparsable?.(body) : undefined;
    try {
      if (other !== undefined) await this.#outbox.send([other]);
      else if (parts.length > 0) await this.#outbox.send(parts, sent);
    } finally {
      release?.();
    }
  }

  /**
   * Executes a message once the client has read earlier responses; skipped if it has disconnected.
   */
  async #execute(body: string): Promise<Pick<Answer, "outcome" | "parts" | "sent" | "release">> {
    for (;;) {
      while (this.#isBehind()) await this.#outbox.written.then(() => yieldToLoop());
      if (this.#closed.signal.aborted) return { outcome: "silent", parts: [] };
      const answer = await this.#turns.run(() =>
        this.#isBehind() ? undefined : this.#runtime.rpc.answer(body, this.#client),
      );
      if (answer !== undefined) return answer;
    }
  }

  /**
   * Closes the connection when its client would have to authenticate again: it cannot, and would
   * still receive its subscriptions.
   */
  #watchExpiry(): void {
    const { clock } = this.#runtime;
    const expiresAt = this.#client.identity?.expiresAt;
    if (expiresAt === undefined || expiresAt === this.#expiresAt) return;
    if (this.#closed.signal.aborted) return;
    this.#expiresAt = expiresAt;
    this.#cancelExpiry();
    this.#cancelExpiry = clock.after(Math.max(0, expiresAt - clock.now()), () =>
      this.#socket.close(POLICY_VIOLATION, "the token has expired"),
    );
  }

  /** Whether the client has unread data. */
  #isBehind(): boolean {
    return this.#outbox.isBlocked || this.#budget.heldBytes > MAX_UNREAD_BYTES;
  }

  /** Stops reading from the network while enough is in progress. */
  #count(messages: number, bytes: number): void {
    this.#executing += messages;
    this.#executingBytes += bytes;
    const isFull = this.#executing >= MAX_EXECUTING || this.#executingBytes >= MAX_EXECUTING_BYTES;
    if (isFull === this.#isPaused) return;
    this.#isPaused = isFull;
    if (isFull) this.#socket.pause();
    else this.#socket.resume();
  }
}
