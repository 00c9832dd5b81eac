import type { Clock } from "@plinth/core";

/** The part of a WebSocket that is pinged. */
export interface PingedSocket {
  on(event: "pong" | "message", listener: () => void): unknown;
  once(event: "close", listener: () => void): unknown;
  ping(): void;
  terminate(): void;
}

/** Number of missed pongs after which a peer is considered gone. */
const MAX_UNANSWERED = 2;

/**
 * Pings a peer at intervals and disconnects it if it does not respond.
 *
 * A busy peer, with a message in transit or more requests than are read, is not expected to.
 */
export function keepAlive(
  socket: PingedSocket,
  settings: {
    readonly clock: Clock;
    readonly intervalMs: number;
    readonly isExpectedToAnswer: () => boolean;
    readonly onDead: () => void;
  },
): void {
  const { clock, intervalMs, isExpectedToAnswer, onDead } = settings;
  let unanswered = 0;
  let cancel = () => {};
  const hear = () => {
    unanswered = 0;
  };
  const check = () => {
    if (!isExpectedToAnswer()) unanswered = 0;
    if (unanswered >= MAX_UNANSWERED) {
      onDead();
      socket.terminate();
      return;
    }
    unanswered += 1;
    socket.ping();
    cancel = clock.after(intervalMs, check);
  };
  socket.on("pong", hear);
  socket.on("message", hear);
  socket.once("close", () => cancel());
  cancel = clock.after(intervalMs, check);
}
