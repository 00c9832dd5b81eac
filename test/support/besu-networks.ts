import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { VECTORS } from "./conformance.js";
import { runProgram, startNode } from "./program.js";
import { temporaryFolder } from "./temporary-folder.js";

type Json = Readonly<Record<string, unknown>>;

/** A request that a running Besu network was sent, with its response. */
export interface Exchange {
  readonly phase: string;
  readonly sameAfterImport?: boolean;
  readonly shortened?: unknown;
  readonly request: { readonly method: string; readonly params: readonly unknown[] };
  readonly response: Json;
}

/** Which network is imported, and which requests are skipped. */
export interface BesuNetworkSettings {
  readonly name: string;
  /** The namespace of the engine. */
  readonly api: string;
  /** Skipped methods, and why. */
  readonly leftOut?: Readonly<Record<string, string>>;
}

/** The responses of a node that imported the chain of a running Besu network. */
export interface ComparedAnswers {
  readonly head: unknown;
  readonly asked: number;
  readonly wrong: readonly unknown[];
}

/** Imports the chain of a Besu network, and repeats the recorded requests, in mode besu. */
export async function compareWithBesu(settings: BesuNetworkSettings): Promise<ComparedAnswers> {
  const { name, api, leftOut = {} } = settings;
  const from = join(VECTORS, "besu-networks", name);
  const genesis = `--genesis-file=${join(from, "genesis.json")}`;
  using folder = temporaryFolder();
  const file = `--from=${join(from, "chain.blocks")}`;
  const imported = await runProgram(
    [genesis, "--data-path=data", "--revert-reason-enabled", "blocks", "import", file],
    { folder: folder.path },
  );
  if (imported.code !== 0) throw new Error(`the chain was not imported:\n${imported.stderr}`);
  await using node = await startNode(
    [
      genesis,
      "--rpc-compatibility=besu",
      "--revert-reason-enabled",
      "--min-gas-price=0",
      "--rpc-http-enabled",
      `--rpc-http-api=ETH,NET,WEB3,DEBUG,ADMIN,TXPOOL,MINER,TRACE,${api}`,
      "--p2p-interface=127.0.0.1",
      "--p2p-port=0",
    ],
    { folder: folder.path, environment: { PLINTH_P2P_ENABLED: "true" } },
  );
  const exchanges = readExchanges(name).filter(
    ({ phase, sameAfterImport, request }) =>
      phase === "final" && sameAfterImport === true && !(request.method in leftOut),
  );
  const wrong: unknown[] = [];
  for (const { request, response } of exchanges) {
    const { method, params } = request;
    const given = comparable(method, await ask(node.url, method, params));
    const expected = comparable(method, response);
    if (!isDeepStrictEqual(given, expected)) wrong.push({ method, params, given, expected });
  }
  return { head: await node.rpc("eth_blockNumber"), asked: exchanges.length, wrong };
}

/** The recorded requests of a network. */
export function readExchanges(name: string): readonly Exchange[] {
  return JSON.parse(readFileSync(join(VECTORS, "besu-networks", name, "answers.json"), "utf8"));
}

/** The response to a request: a result or an error. */
async function ask(url: string, method: string, params: readonly unknown[]): Promise<Json> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", body });
  return (await response.json()) as Json;
}

/** Without its id; signer metrics have no order. */
function comparable(method: string, { id: _, ...answer }: Json): Json {
  const { result } = answer;
  if (!method.endsWith("getSignerMetrics") || !Array.isArray(result)) return answer;
  return { ...answer, result: result.toSorted((a, b) => (a.address < b.address ? -1 : 1)) };
}
