import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@plinth/core";

const USUAL_PORT = 8545;

/** Where a node is asked: at the URL that is given, or on this machine at the port that it wrote down. */
export async function findUrl(given: string | undefined, dataPath: string): Promise<string> {
  if (given === undefined) return `http://127.0.0.1:${await findPort(dataPath)}/`;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--url': "${given}" is not a URL such as http://127.0.0.1:8545`,
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
