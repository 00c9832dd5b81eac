import { connect, createServer, type Socket } from "node:net";

/** A port on loopback that leads to another one, and keeps what passes; `await using` closes it. */
export interface RecordingLink extends AsyncDisposable {
  readonly port: number;
  /** Everything that passed, in both directions. */
  recorded(): Buffer;
}

export async function openRecordingLink(toPort: number): Promise<RecordingLink> {
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(toPort, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => chunks.push(chunk));
      // A manager that is killed ends the connection on its side; so does the link on the other.
      from.on("error", () => to.destroy());
      from.on("close", () => sockets.delete(from));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    recorded: () => Buffer.concat(chunks),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
