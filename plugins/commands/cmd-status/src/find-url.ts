import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { ConfigError } from "@plinth/core";

const USUAL_PORT = 8545;

/**
 * Where a node is asked: at the URL that is given, else on this machine, at its socket where one
 * answers, or at the port that it wrote down.
 */
export async function findUrl(given: string | undefined, dataPath: string): Promise<string> {
  if (given === undefined) {
    const socket = join(dataPath, "plinth.ipc");
    if (await isAnswered(socket)) return `ipc:${socket}`;
    return `http://127.0.0.1:${await findPort(dataPath)}/`;
  }
  if (socketOf(given) !== undefined) return given;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--url': "${given}" is not a URL such as http://127.0.0.1:8545 or ipc:/data/plinth.ipc`,
  });
}

/** The path of the socket that a URL names; `undefined` when it is one of HTTP. */
export function socketOf(url: string): string | undefined {
  return /^ipc:(?:\/\/)?(\/.+)$/.exec(url)?.[1];
}

/** Whether a node listens: one that was killed leaves its socket behind. */
function isAnswered(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once("error", () => resolve(false));
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
  });
}

async function findPort(dataPath: string): Promise<number> {
  const text = await readFile(join(dataPath, "plinth.ports"), "utf8").catch(noneIfMissing);
  const port = /^json-rpc=(\d+)$/m.exec(text)?.[1];
  return port === undefined ? USUAL_PORT : Number(port);
}

function noneIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return "";
  throw error;
}
