import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Codec, DecodeError, messageOf, PlinthError, t, type ValueOf } from "@plinth/core";

/** The file that makes a folder a network. */
export const NETWORK_FILE = "network.json";

const port = t.integer({ min: 1, max: 65_535 });

/** The private transaction manager embedded in a node. */
const manager = t.object({
  /** In base64. */
  publicKey: t.text,
  /** URL at which other managers reach it. */
  peerPort: port,
  /** URL at which it serves external nodes. */
  nodePort: port,
});

const node = t.object({
  /** Also the name of its folder. */
  name: t.text,
  address: t.address,
  enode: t.text,
  rpcPort: port,
  p2pPort: port,
  /** The fields below are missing in networks of earlier versions. */
  wsPort: t.optional(port),
  graphqlPort: t.optional(port),
  metricsPort: t.optional(port),
  /** Whether the genesis file lists it as a validator. */
  isValidator: t.boolean,
  manager: t.optional(manager),
});

const network = t.object({
  /** The key of the engine in the genesis file. */
  engine: t.text,
  chainId: t.integer({ min: 1 }),
  periodSeconds: t.integer({ min: 1 }),
  isGasFree: t.boolean,
  nodes: t.array(node),
});

/** A node of a network on this machine, or on others. */
export type NetworkNode = Omit<ValueOf<typeof node>, "manager" | LaterPort> & {
  readonly manager?: NetworkManager | undefined;
} & { readonly [name in LaterPort]?: number | undefined };
type LaterPort = "wsPort" | "graphqlPort" | "metricsPort";
/** The private transaction manager of a node. */
export type NetworkManager = ValueOf<typeof manager>;
/** The description of a network in its folder. */
export type Network = Omit<ValueOf<typeof network>, "nodes"> & {
  readonly nodes: readonly NetworkNode[];
};

/**
 * The network of a folder; `undefined` if the folder is empty or missing. Throws if it contains
 * something else.
 */
export async function findNetwork(folder: string): Promise<Network | undefined> {
  const text = await readFile(join(folder, NETWORK_FILE), "utf8").catch(noneIfMissing);
  if (text !== undefined) return parseNetwork(text, join(folder, NETWORK_FILE));
  const entries = await readdir(folder).catch(noneIfMissing);
  if (entries === undefined || entries.length === 0) return undefined;
  throw new PlinthError("NETWORK_FOLDER_WRONG", {
    message: `${folder} contains other files (${entries.slice(0, 3).join(", ")}) and no ${NETWORK_FILE}: it is not the folder of a network; name another one with --data-path`,
    path: folder,
  });
}

/** The content of the file. */
export function networkFileText(value: Network): string {
  return `${JSON.stringify((network as Codec<Network>).encode(value), undefined, 2)}\n`;
}

function parseNetwork(text: string, path: string): Network {
  try {
    return (network as Codec<Network>).decode(JSON.parse(text), "network");
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof SyntaxError)) throw error;
    throw new PlinthError("NETWORK_FOLDER_WRONG", {
      message: `${path} is damaged: ${messageOf(error)}`,
      path,
      cause: error,
    });
  }
}

function noneIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
