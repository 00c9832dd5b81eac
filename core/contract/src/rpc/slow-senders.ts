import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { type Clock, systemClock } from "../kernel/clock.js";

/**
 * How often the progress of a body is checked, and the minimum progress in that time: slower than
 * any usable connection.
 */
const CHECK_MS = 10_000;
const MIN_BYTES = 10_240;

/** The request of a connection, and its progress at the last check. */
interface Sending {
  request: IncomingMessage;
  seen: IncomingMessage | undefined;
  bytes: number;
}

/**
 * Disconnects clients that send a body a few bytes at a time: each occupies one of the limited
 * connections.
 *
 * A request that the server itself does not read yet, such as a pipelined one, is not counted.
 */
export function disconnectSlowSenders(server: Server, clock: Clock = systemClock): void {
  const connections = new Map<Socket, Sending>();
  let cancel: (() => void) | undefined;
  const check = () => {
    for (const [socket, sending] of connections) {
      const { request, seen, bytes } = sending;
      const isWaitedFor =
        !request.complete && request.readableLength === 0 && !socket.isPaused() && seen === request;
      sending.seen = request;
      sending.bytes = socket.bytesRead;
      if (isWaitedFor && socket.bytesRead - bytes < MIN_BYTES) socket.destroy();
    }
    cancel = clock.after(CHECK_MS, check);
  };
  const forget = (socket: Socket) => {
    connections.delete(socket);
    if (connections.size > 0) return;
    cancel?.();
    cancel = undefined;
  };
  server.prependListener("request", (request) => {
    const { socket } = request;
    const known = connections.get(socket);
    if (known !== undefined) {
      known.request = request;
      return;
    }
    connections.set(socket, { request, seen: undefined, bytes: 0 });
    socket.once("close", () => forget(socket));
    cancel ??= clock.after(CHECK_MS, check);
  });
}
