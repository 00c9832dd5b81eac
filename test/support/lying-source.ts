import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Signal } from "@plinth/core/async";

/** What a liar does with a response of the true source; by default nothing. */
export interface Lie {
  /** Changes the records of a response, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: lines of JSON
  readonly records?: (lines: any[]) => unknown[];
  /** Changes the description of the stream. */
  readonly description?: (json: object) => object;
  /** Responds itself to requests for records. */
  readonly respond?: (response: ServerResponse, request: IncomingMessage) => void;
}

/** A server in front of a source that does not deliver what that sends. */
export async function startLiar(source: string, lie: Lie, atPort = 0) {
  const requests: string[] = [];
  const requested = new Signal();
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    requested.notify();
    void forward(request, response).catch(() => response.destroy());
  });
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? "/";
    const isRange = url.startsWith("/changes?") && url.includes("state=true");
    if (isRange && lie.respond !== undefined) return lie.respond(response, request);
    const got = await fetch(`${source}${url}`, { signal: AbortSignal.timeout(60_000) });
    const last = got.headers.get("x-plinth-last-sequence");
    const text = await got.text();
    response.writeHead(got.status, last === null ? {} : { "x-plinth-last-sequence": last });
    if (isRange && lie.records !== undefined && got.ok) {
      const lines = text.split("\n").filter((line) => line !== "");
      const changed = lie.records(lines.map((line) => JSON.parse(line)));
      response.end(changed.map((each) => `${JSON.stringify(each)}\n`).join(""));
    } else if (url === "/changes/stream" && lie.description !== undefined) {
      response.end(JSON.stringify(lie.description(JSON.parse(text))));
    } else response.end(text);
  };
  await new Promise<void>((resolve) => server.listen(atPort, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    requested: () => requested.next(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
