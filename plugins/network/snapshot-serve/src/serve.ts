import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { OptionValues } from "@plinth/core";
import {
  createHttpServer,
  type ListenerNode,
  readWildcardList,
  registerListener,
} from "@plinth/kit-http";
import type { options } from "./options.js";
import { RateLimit } from "./rate-limit.js";
import { SnapshotFolder } from "./snapshot-folder.js";

type Config = OptionValues<typeof options>;

const MAX_BODY_BYTES = 1024;
const PART_BYTES = 64 * 2 ** 10;

/** Serves the files of snapshots under `/NAME/FILE`, and their names under `/`. */
export function serveSnapshots(node: ListenerNode, config: Config): void {
  const sent = node.metrics.counter({ name: "bytes", help: "Bytes of snapshots that were sent." });
  const stopping = new AbortController();
  // A node that stops does not wait for its readers.
  node.hooks.lifecycle.stopping.tap(() => stopping.abort());
  registerListener(node, {
    title: "Snapshot service",
    endpoint: {
      name: "snapshots",
      transport: "http",
      namespaces: [],
      duplex: false,
      maxBatchSize: 1,
    },
    address: { host: config.snapshotServeHost, port: config.snapshotServePort },
    options: {
      api: "snapshot-serve-enabled",
      host: "snapshot-serve-host",
      port: "snapshot-serve-port",
    },
    async createServer(_, { dataPath, clock }) {
      const folder = new SnapshotFolder(config.snapshotServePath ?? join(dataPath, "snapshots"));
      const rate = new RateLimit(config.snapshotServeMaxRate * 2 ** 10, clock);
      const settings = {
        // Nothing here is secret or changes anything.
        hosts: readWildcardList("snapshot-serve-host", ["*"]),
        origins: [],
        originsOption: "",
        maxConnections: config.snapshotServeMaxConnections,
        maxBodyBytes: MAX_BODY_BYTES,
      };
      return createHttpServer(settings, (server) => {
        server.get("/", async (_request, reply) => reply.send(await folder.list()));
        server.get<FileRoute>("/:snapshot/:file", async ({ params }, reply) => {
          const file = await folder.open(params.snapshot, params.file);
          if (file === undefined) return reply.code(404).send();
          const { size } = await file.stat();
          const ended = new AbortController();
          const cancel = clock.after(config.snapshotServeTimeout * 1000, () => ended.abort());
          const signal = AbortSignal.any([stopping.signal, ended.signal]);
          // Also if the reader takes nothing, so that no part is read any more.
          signal.addEventListener("abort", () => reply.raw.destroy(), { once: true });
          const end = () => {
            cancel();
            ended.abort();
            void file.close();
          };
          // Whether or not a part was read: a reader may leave before the first one.
          if (reply.raw.destroyed) end();
          else reply.raw.once("close", end);
          return reply
            .type("application/octet-stream")
            .header("content-length", size)
            .send(Readable.from(readParts(file, { size, rate, signal, sent })));
        });
      });
    },
  });
}

interface FileRoute {
  readonly Params: { readonly snapshot: string; readonly file: string };
}

interface Sending {
  readonly size: number;
  readonly rate: RateLimit;
  readonly signal: AbortSignal;
  readonly sent: { increment(by?: number): void };
}

async function* readParts(file: FileHandle, { size, rate, signal, sent }: Sending) {
  for (let at = 0; at < size; ) {
    const length = Math.min(PART_BYTES, size - at);
    await rate.admit(length, signal);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) throw new Error("the file was cut while it was sent");
    sent.increment(bytesRead);
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
