import { hexToBytes, messageOf, PlinthError } from "@plinth/core";
import type { GenesisTemplate } from "@plinth/core/consensus";
import type { NetworkNode } from "@plinth/plugin-cmd-genesis/api";

const TIMEOUT_MS = 3000;

/** A block as shown in a line. */
export interface BlockView {
  readonly number: number;
  readonly transactions: number;
  readonly timestamp: number;
  readonly miner: string;
  readonly round: number | undefined;
}

/** The status of a node. */
export interface NodeAnswer {
  readonly head: BlockView;
  readonly peers: number;
}

/** The URL of a node's JSON-RPC. */
export function urlOf({ rpcPort }: Pick<NetworkNode, "rpcPort">): string {
  return `http://127.0.0.1:${rpcPort}`;
}

/** Calls a method of a node; rejects if it does not respond, or with its error. */
export async function callNode(
  node: Pick<NetworkNode, "rpcPort" | "name">,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(urlOf(node), {
    method: "POST",
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error === undefined) return result;
  throw new PlinthError("NODE_REFUSED", {
    message: `${node.name} refuses ${method}: ${Object(error).message}`,
  });
}

/** The head and the peers of a node; `undefined` while it does not respond. */
export async function askNode(
  node: Pick<NetworkNode, "rpcPort" | "name">,
  template: Pick<GenesisTemplate, "findRound">,
): Promise<NodeAnswer | undefined> {
  try {
    const [head, peers] = await Promise.all([
      askBlock(node, "latest", template),
      callNode(node, "net_peerCount"),
    ]);
    return { head, peers: Number(peers) };
  } catch {
    // It is starting, stopping or busy: queried again soon.
    return undefined;
  }
}

/** A block of a node; `undefined` if it does not respond. */
export function findBlock(
  node: Pick<NetworkNode, "rpcPort" | "name">,
  number: number,
  template: Pick<GenesisTemplate, "findRound">,
): Promise<BlockView | undefined> {
  return askBlock(node, number, template).catch(() => undefined);
}

async function askBlock(
  node: Pick<NetworkNode, "rpcPort" | "name">,
  number: number | "latest",
  { findRound }: Pick<GenesisTemplate, "findRound">,
): Promise<BlockView> {
  const id = number === "latest" ? number : `0x${number.toString(16)}`;
  const block = Object(await callNode(node, "eth_getBlockByNumber", [id, false]));
  const isFirst = Number(block.number) === 0;
  return {
    number: Number(block.number),
    transactions: block.transactions.length,
    timestamp: Number(block.timestamp),
    miner: String(block.miner),
    round: isFirst ? undefined : findRound?.(hexToBytes(block.extraData)),
  };
}

/** Why a node produces no blocks, as reported by itself. */
export async function askTroubles(node: NetworkNode): Promise<readonly string[]> {
  try {
    const { health } = Object(await callNode(node, "plinth_status"));
    const checks: readonly { status: string; detail?: string }[] = health.checks;
    return checks.flatMap(({ status, detail }) => (status === "up" || !detail ? [] : [detail]));
  } catch (error) {
    return [`${node.name} does not respond: ${messageOf(error)}`];
  }
}
