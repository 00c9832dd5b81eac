import { rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { OptionValues, Runtime } from "@plinth/core";
import {
  Connection,
  type ListenerNode,
  MessageScheduler,
  ResponseGuard,
  readResponseLimits,
  verifyApis,
} from "@plinth/kit-http";
import { IpcSocket } from "./ipc-socket.js";
import type { options } from "./options.js";
import { listenOnFile } from "./socket-file.js";

type Config = OptionValues<typeof options>;

const MAX_CONNECTIONS = 80;
const MAX_BATCH_SIZE = 1024;
/** Namespace of commands such as `plinth status`; always available to the user of the node. */
export const ALWAYS_OFFERED = "PLINTH";

/** Serves JSON-RPC on a Unix domain socket once every plugin has started. */
export function registerIpcListener(node: ListenerNode, config: Config): void {
  const guard = new ResponseGuard(node, readResponseLimits(config));
  const sockets = new Set<Socket>();
  let close = async () => {};
  node.metrics.gauge({
    name: "connections",
    help: "Open connections.",
    collect: () => sockets.size,
  });
  node.hooks.lifecycle.registered.tap(({ namespaces }) =>
    verifyApis("Xrpc-ipc-api", { named: config.XrpcIpcApi, loaded: namespaces }, node.log),
  );
  node.hooks.lifecycle.ready.tap(async (_, runtime) => {
    const path = config.XrpcIpcPath ?? join(runtime.dataPath, "plinth.ipc");
    const server = createIpcServer(runtime, config, { guard, sockets });
    await listenOnFile(server, path);
    close = async () => {
      await rm(path, { force: true });
      server.close();
      for (const socket of sockets) socket.destroy();
    };
    node.log.info(`IPC endpoint opened: ${path}`);
  });
  const closeOnce = async () => {
    const closing = close;
    close = async () => {};
    await closing();
  };
  node.hooks.lifecycle.stopping.tap(closeOnce);
  node.onStop(closeOnce);
}

function createIpcServer(
  runtime: Runtime,
  config: Config,
  { guard, sockets }: { readonly guard: ResponseGuard; readonly sockets: Set<Socket> },
): Server {
  const endpoint = runtime.rpc.endpoint({
    name: "ipc-rpc",
    transport: "ipc",
    namespaces: [...config.XrpcIpcApi, ALWAYS_OFFERED],
    duplex: true,
    maxBatchSize: MAX_BATCH_SIZE,
    namespacesOption: "Xrpc-ipc-api",
  });
  const turns = new MessageScheduler();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    new Connection(new IpcSocket(socket), {
      endpoint,
      runtime,
      guard,
      turns,
      remoteAddress: undefined,
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}
