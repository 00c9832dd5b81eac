// The peer of the start benchmark: a script with the same libraries that responds to one request.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import websocket from "@fastify/websocket";
import { ClassicLevel } from "classic-level";
import Fastify from "fastify";

const [port] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "bare-"));
process.on("SIGTERM", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
const database = new ClassicLevel(folder);
await database.open();
const server = Fastify({ logger: false });
await server.register(websocket);
server.post("/", () => ({ jsonrpc: "2.0", id: 1, result: "bare" }));
await server.listen({ host: "127.0.0.1", port: Number(port) });
console.log("up");
