import { once } from "node:events";
import { chmod, lstat, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { dirname, join } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";

/** The system's limit for the path of a socket, minus the length of the temporary folder. */
const MAX_PATH_BYTES = 90;
/** Accessible only to the user of the node. */
const MODE = 0o600;

/**
 * Listens on a path that only the user of the node can open, without a window in which others could.
 *
 * The socket is created in a private folder, and moved once its mode is set.
 */
export async function listenOnFile(server: Server, path: string): Promise<void> {
  await verifyFree(path);
  let folder: string | undefined;
  try {
    await mkdir(dirname(path), { recursive: true });
    folder = await mkdtemp(join(dirname(path), ".ipc-"));
    const made = join(folder, "s");
    server.listen(made);
    await once(server, "listening");
    await chmod(made, MODE);
    await rename(made, path);
  } catch (error) {
    server.close();
    throw new ConfigError("LISTEN_FAILED", {
      message: `cannot listen on ${path} (--Xrpc-ipc-path): ${messageOf(error)}`,
      cause: error,
    });
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the socket of an earlier node; throws if a node listens there, or it is another file. */
async function verifyFree(path: string): Promise<void> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw refused(`${path} has more than ${MAX_PATH_BYTES} bytes`);
  }
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw refused(`${path} is not a socket but another file`);
  await verifyLeft(path);
  await rm(path, { force: true });
}

/**
 * Throws unless no program listens on a socket: one of another user may be in use even if it cannot
 * be opened.
 */
function verifyLeft(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      reject(refused(`another program listens on ${path}`));
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve();
      else reject(refused(`the socket ${path} may be in use: ${error.message}`));
    });
  });
}

function refused(reason: string): ConfigError {
  return new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--Xrpc-ipc-path': ${reason}`,
    option: "Xrpc-ipc-path",
  });
}
