import { CallError, call, getAddress } from "./rpc.js";
import { findToken } from "./session.js";
import type { Block } from "./types.js";

/** A new head of the chain. */
export type Head = Pick<Block, "number" | "hash" | "parentHash" | "timestamp">;
/** How new heads arrive. */
export type LiveState = "live" | "polling" | "unreachable";

const POLL_MS = 2000;
const RECONNECT_MS = 5000;

/**
 * Reports new heads: over a WebSocket if one can be opened, otherwise by asking every two seconds.
 *
 * Browsers cannot send a token with a WebSocket, so a session with a token polls.
 */
export class LiveHeads {
  readonly #sockets: readonly string[];
  readonly #heads = new Set<(head: Head) => void | Promise<void>>();
  readonly #states = new Set<(state: LiveState) => void>();
  #state: LiveState = "polling";
  #last: Head | undefined;
  #socket: WebSocket | undefined;
  #timer: number | undefined;

  constructor(sockets: readonly string[]) {
    this.#sockets = sockets;
  }

  get state(): LiveState {
    return this.#state;
  }

  get last(): Head | undefined {
    return this.#last;
  }

  start(): void {
    void this.#poll();
    this.#connect(0);
  }

  /** Connects again, as after a login. */
  restart(): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.start();
  }

  /** Calls back for each new head until the signal aborts. */
  onHead(callback: (head: Head) => void | Promise<void>, signal?: AbortSignal): void {
    // A view may have been left while it was loading.
    if (signal?.aborted === true) return;
    this.#heads.add(callback);
    signal?.addEventListener("abort", () => this.#heads.delete(callback));
  }

  onState(callback: (state: LiveState) => void): void {
    this.#states.add(callback);
    callback(this.#state);
  }

  #connect(index: number): void {
    const url = this.#sockets[index];
    if (url === undefined || findToken() !== undefined) return;
    const socket = new WebSocket(url);
    let isSubscribed = false;
    socket.addEventListener("open", () => {
      this.#socket = socket;
      socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
    });
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data));
      if (message.id === 1 && message.result !== undefined) {
        isSubscribed = true;
        this.#set("live");
      } else if (message.id === 1) socket.close();
      else if (message.method === "eth_subscription") this.#accept(message.params.result);
    });
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#socket = undefined;
      if (!isSubscribed) {
        this.#connect(index + 1);
        return;
      }
      this.#set("polling");
      void this.#poll();
      setTimeout(() => this.#connect(index), RECONNECT_MS);
    });
  }

  async #poll(): Promise<void> {
    window.clearTimeout(this.#timer);
    try {
      const head = await call<Head>("eth_getBlockByNumber", ["latest", false]);
      if (this.#state === "unreachable") this.#set("polling");
      this.#accept(head);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.isUnreachable) this.#set("unreachable");
    }
    if (this.#state !== "live") {
      this.#timer = window.setTimeout(() => void this.#poll(), POLL_MS);
    }
  }

  #accept(head: Head): void {
    if (head.hash === this.#last?.hash) return;
    this.#last = head;
    for (const callback of this.#heads) void callback(head);
  }

  #set(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const callback of this.#states) callback(state);
  }
}

/** Where WebSockets of the node may be, the most probable first. */
export function findSockets(listeners: {
  readonly http: { readonly isSecure: boolean } | null;
  readonly ws: { readonly port: number; readonly isSecure: boolean } | null;
  readonly isWsOnHttpPort: boolean;
}): readonly string[] {
  const own = getAddress().replace(/^http/, "ws");
  const { ws } = listeners;
  return [
    ...(listeners.isWsOnHttpPort ? [own] : []),
    ...(ws === null ? [] : [`ws${ws.isSecure ? "s" : ""}://${location.hostname}:${ws.port}/`]),
  ];
}
