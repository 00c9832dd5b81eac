import { connect, createServer, type Socket } from "node:net";
import { createRandom } from "@plinth/testing";

/** The effects of a link on its traffic. */
export interface LinkConditions {
  /** One way. */
  readonly delayMs: number;
  /** The share of segments that are lost and resent by TCP, which delays everything after them. */
  readonly loss: number;
}

const SEGMENT_BYTES = 1_448;
/** Minimum delay before TCP resends a segment. */
const RETRANSMISSION_MS = 200;

/** A port on loopback that forwards to another one over a slow link; `await using` closes it. */
export async function openSlowLink(
  toPort: number,
  conditions: LinkConditions,
): Promise<AsyncDisposable & { readonly port: number }> {
  const random = createRandom(1);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(toPort, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    carry(near, far, { ...conditions, random });
    carry(far, near, { ...conditions, random });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function carry(
  from: Socket,
  to: Socket,
  { delayMs, loss, random }: LinkConditions & { readonly random: () => number },
): void {
  let freeAt = 0;
  const later = (work: () => void, extraMs: number) => {
    freeAt = Math.max(freeAt, performance.now() + delayMs) + extraMs;
    setTimeout(work, freeAt - performance.now());
  };
  from.on("data", (bytes) => {
    const segments = Math.ceil(bytes.length / SEGMENT_BYTES);
    const lost = Array.from({ length: segments }, random).filter((value) => value < loss).length;
    later(() => to.write(bytes), lost * RETRANSMISSION_MS);
  });
  from.on("end", () => later(() => to.end(), 0));
  from.on("close", () => later(() => to.destroy(), 0));
}
