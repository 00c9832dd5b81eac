import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/free-port.js";
import { clientFolder } from "./installed.js";

/** The tables that `ponder/project` makes of the transfers of a token. */
export interface Indexed {
  /** By address. */
  readonly balances: Readonly<Record<string, bigint>>;
  readonly transfers: number;
}

/** A running indexer. */
export interface Ponder {
  /** Its tables, read with GraphQL; `undefined` while it is not ready. */
  read(): Promise<Indexed | undefined>;
  output(): string;
  stop(): Promise<void>;
}

const QUERY = "{ accounts { items { address balance } } transfers { totalCount } }";

/** Starts ponder with the project `ponder/project`, its database in a folder, for a token of a node. */
export async function startPonder(on: {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
}): Promise<Ponder> {
  const from = clientFolder("ponder");
  const root = join(on.folder, "project");
  // It writes into its project.
  cpSync(join(from, "project"), root, { recursive: true });
  symlinkSync(join(from, "node_modules"), join(root, "node_modules"));
  const port = await freePort();
  const program = join(from, "node_modules/ponder/dist/esm/bin/ponder.js");
  const words = ["start", "--schema=public", `--port=${port}`, "--hostname=127.0.0.1"];
  const child = spawn(process.execPath, [program, ...words, "--log-format=json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...{ PATH: process.env.PATH, HOME: on.folder, PONDER_TELEMETRY_DISABLED: "true" },
      ...{ PLINTH_URL: on.url, PLINTH_TOKEN: on.token, PLINTH_FOLDER: on.folder },
    },
  });
  const closed = once(child, "close");
  const output = record(child);
  return {
    output,
    read: () => read(`http://127.0.0.1:${port}`),
    async stop() {
      child.kill("SIGTERM");
      await closed;
    },
  };
}

function record({ stdout, stderr }: ChildProcess): () => string {
  let text = "";
  for (const stream of [stdout, stderr]) stream?.on("data", (piece) => (text += String(piece)));
  return () => text;
}

async function read(url: string): Promise<Indexed | undefined> {
  const ready = await fetch(`${url}/ready`).catch(() => undefined);
  if (ready?.ok !== true) return undefined;
  const body = JSON.stringify({ query: QUERY });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/graphql`, { method: "POST", headers, body });
  const { data } = Object(await response.json());
  const { items } = data.accounts as { items: { address: string; balance: string }[] };
  return {
    balances: Object.fromEntries(items.map(({ address, balance }) => [address, BigInt(balance)])),
    transfers: data.transfers.totalCount,
  };
}
