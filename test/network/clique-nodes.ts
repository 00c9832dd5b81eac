import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { TestSigner } from "../support/clique-chain.js";
import { freePort } from "../support/free-port.js";
import { GETH } from "../support/geth.js";
import { type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { until } from "./network-node.js";

const START_LIMIT_MS = 60_000;

/** A signer process of a network on this machine. */
export interface CliqueNode extends AsyncDisposable {
  readonly kind: "plinth" | "geth";
  readonly address: string;
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Its address for others. */
  enode(): Promise<string>;
  /** Kills the process, and starts another with the same data and ports. */
  killAndRestart(): Promise<void>;
}

/** How a node differs from one that signs and executes every block. */
export interface NodeChange {
  /** Further options of the command line; the later one of two is used. */
  readonly options?: readonly string[];
  /** Of geth: it neither signs nor offers to. */
  readonly isFollower?: boolean;
}

interface Place extends NodeChange {
  readonly folder: TemporaryFolder;
  readonly signer: TestSigner;
  readonly genesis: object;
  readonly ports: { readonly p2p: number; readonly http: number; readonly auth: number };
}

async function findPlace(signer: TestSigner, genesis: object, change: NodeChange): Promise<Place> {
  const ports = { p2p: await freePort(), http: await freePort(), auth: await freePort() };
  const folder = temporaryFolder();
  writeFileSync(folder.file("genesis.json"), JSON.stringify(genesis));
  writeFileSync(folder.file("key"), Buffer.from(signer.key).toString("hex"));
  return { folder, signer, genesis, ports, ...change };
}

/** Starts a node of ours whose key is a signer, or may become one. */
export async function startPlinth(
  signer: TestSigner,
  genesis: object,
  change: NodeChange = {},
): Promise<CliqueNode> {
  const place = await findPlace(signer, genesis, change);
  const { folder } = place;
  let node = await launchPlinth(place);
  return {
    kind: "plinth",
    address: signer.address,
    rpc: (method, params) => node.rpc(method, params),
    enode: async () => String(await node.rpc("net_enode")).replace(/\?.*/, ""),
    async killAndRestart() {
      await node.stop("SIGKILL");
      node = await launchPlinth(place);
    },
    async [Symbol.asyncDispose]() {
      await node.stop();
      folder[Symbol.dispose]();
    },
  };
}

function launchPlinth({ folder, ports, options = [] }: Place): Promise<RunningNode> {
  return startNode(
    [
      `--genesis-file=${folder.file("genesis.json")}`,
      `--node-private-key-file=${folder.file("key")}`,
      "--rpc-http-enabled",
      "--rpc-http-api=ADMIN,CLIQUE,ETH,NET",
      "--p2p-interface=127.0.0.1",
      `--p2p-port=${ports.p2p}`,
      "--nat-method=NONE",
      "--discovery-enabled=false",
      ...options,
    ],
    { folder: folder.path, environment: { PLINTH_P2P_ENABLED: "true" } },
  );
}

/** Starts a geth that signs with its own account, or follows. */
export async function startGeth(
  signer: TestSigner,
  genesis: object,
  change: NodeChange = {},
): Promise<CliqueNode> {
  const place = await findPlace(signer, genesis, change);
  const { folder, ports } = place;
  const data = ["--datadir", folder.file("geth")];
  writeFileSync(folder.file("password"), "published");
  writeFileSync(
    folder.file("geth.toml"),
    `[Node.P2P]\nListenAddr = "127.0.0.1:${ports.p2p}"\nNoDiscovery = true\nMaxPeers = 25\n`,
  );
  execFileSync(GETH, [...data, "init", folder.file("genesis.json")], { stdio: "ignore" });
  const password = ["--password", folder.file("password")];
  execFileSync(
    GETH,
    ["account", "import", ...data, "--lightkdf", ...password, folder.file("key")],
    {
      stdio: "ignore",
    },
  );
  let child = await launchGeth(place);
  const url = `http://127.0.0.1:${ports.http}`;
  const rpc = (method: string, params: readonly unknown[] = []) => callGeth(url, method, params);
  const end = async (signal: NodeJS.Signals) => {
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
  };
  return {
    kind: "geth",
    address: signer.address,
    rpc,
    async enode() {
      const { id, enode } = (await rpc("admin_nodeInfo")) as { id: string; enode: string };
      const key = /enode:\/\/([0-9a-f]+)@/.exec(enode)?.[1];
      if (key === undefined) throw new Error(`geth ${id} has no enode`);
      return `enode://${key}@127.0.0.1:${ports.p2p}`;
    },
    async killAndRestart() {
      await end("SIGKILL");
      child = await launchGeth(place);
    },
    async [Symbol.asyncDispose]() {
      await end("SIGTERM");
      folder[Symbol.dispose]();
    },
  };
}

async function launchGeth({
  folder,
  ports,
  signer,
  options = [],
  isFollower = false,
}: Place): Promise<ChildProcess> {
  const signing = ["--mine", "--miner.etherbase", signer.address];
  const child = spawn(
    GETH,
    [
      ...["--config", folder.file("geth.toml"), "--datadir", folder.file("geth")],
      ...["--networkid", "1337", "--nat", "none", "--ipcdisable", "--syncmode", "full"],
      ...["--http", "--http.addr", "127.0.0.1", "--http.port", String(ports.http)],
      ...["--http.api", "admin,clique,eth,net", "--authrpc.port", String(ports.auth)],
      ...["--unlock", signer.address, "--password", folder.file("password")],
      ...["--allow-insecure-unlock", ...(isFollower ? [] : signing)],
      ...["--verbosity", "3", "--log.file", folder.file("geth.log")],
      ...options,
    ],
    { stdio: "ignore" },
  );
  const url = `http://127.0.0.1:${ports.http}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`geth ended with ${child.exitCode}`);
    return callGeth(url, "eth_chainId").then(
      () => true,
      () => false,
    );
  }, START_LIMIT_MS);
  return child;
}

/** geth rejects a request that does not declare its JSON. */
async function callGeth(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", body, headers });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw error;
  return result;
}
