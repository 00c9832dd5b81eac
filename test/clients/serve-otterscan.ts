import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** A web server on loopback. */
export interface Served extends AsyncDisposable {
  readonly url: string;
}

/**
 * Serves the built files of Otterscan for a node: its addresses are those of one page, and
 * `/config.json` names the node.
 */
export async function serveOtterscan(folder: string, nodeUrl: string): Promise<Served> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    if (path === "/config.json") {
      response.end(JSON.stringify({ erigonURL: nodeUrl }));
      return;
    }
    const type = extname(path);
    const file = join(folder, type === "" ? "index.html" : path);
    const isThere = existsSync(file) && statSync(file).isFile();
    response.statusCode = isThere ? 200 : 404;
    const isFile = type in TYPES || type === "";
    if (isFile) response.setHeader("content-type", TYPES[type] ?? "text/html");
    response.end(isThere ? readFileSync(file) : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
