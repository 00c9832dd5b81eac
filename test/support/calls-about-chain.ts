import { contractAddress } from "@plinth/core/blocks";
import type { Node } from "@plinth/node";
import type { Call } from "./compared-responses.js";
import { findDifference, UNCALLED } from "./replica-differences.js";

/** Blocks, transactions and accounts of a part, and the blocks for calls about an account after a block. */
const PART = 6;
const STATES = 3;
const TRACERS = ["callTracer", "prestateTracer", "4byteTracer"];
const TRACES = ["trace", "vmTrace", "stateDiff"];
const SLOTS = ["0x0", "0x1", "0x2"];
/** Code of a contract without code. */
const CREATION = "0x60006000f3";

/** What calls are about. */
export interface ChainContents {
  readonly blocks: readonly string[];
  /** Of these blocks. */
  readonly hashes: readonly string[];
  readonly transactions: readonly string[];
  readonly accounts: readonly string[];
  /** The blocks after which accounts are read. */
  readonly states: readonly string[];
}

/** What a node has on its chain; only a part of it unless every block is wanted. */
export function contentsOf(
  { blocks }: Node,
  { isEvery }: { readonly isEvery: boolean },
): ChainContents {
  const chain = Array.from({ length: Number(blocks.head().number) + 1 }, (_, number) => {
    const block = blocks.findBlock(BigInt(number));
    if (block === undefined) throw new Error(`there is no block ${number}`);
    return { ...block, receipts: blocks.findReceipts(block.header.hash) ?? [] };
  });
  const accounts = new Set<string>();
  for (const { header, body, receipts } of chain) {
    accounts.add(header.coinbase);
    for (const transaction of body.transactions) {
      accounts.add(transaction.to ?? contractAddress(transaction));
    }
    for (const { address } of receipts.flatMap(({ logs }) => logs)) accounts.add(address);
  }
  const some = <T>(list: readonly T[]) => (isEvery ? list : sample(list, PART));
  const numbers = chain.map(({ header }) => `0x${header.number.toString(16)}`);
  return {
    blocks: some(numbers),
    hashes: some(chain.map(({ header }) => header.hash)),
    transactions: some(chain.flatMap(({ body }) => body.transactions.map(({ hash }) => hash))),
    accounts: some([...accounts]),
    states: isEvery ? numbers : sample(numbers, STATES),
  };
}

/**
 * Calls of all methods of a node: with the parameters of their examples, and with blocks, hashes and accounts of the chain
 * instead, where they have such parameters.
 */
export function* callsAbout(node: Node, contents: ChainContents): Generator<Call> {
  const { blocks, hashes, transactions, accounts, states } = contents;
  const values: Readonly<Record<string, readonly string[]>> = {
    block: blocks,
    hash: [...hashes, ...transactions],
    address: accounts,
    sender: accounts,
  };
  for (const { fullName, method } of node.methods()) {
    if (fullName in UNCALLED) continue;
    const example = method.example?.params ?? [];
    yield { method: fullName, params: example };
    if (findDifference(fullName)?.to === "replica") continue;
    const names = Object.keys(method.params);
    const isOfState = names.filter((name) => name in values).length > 1;
    const choices = example.map((given, index) => {
      const name = names[index] ?? "";
      return (name === "block" && isOfState ? states : values[name]) ?? [given];
    });
    if (names.some((name) => name in values)) {
      for (const params of product(choices)) yield { method: fullName, params };
    }
  }
  yield* tracesOf(contents);
  yield* callsOfStates(contents);
}

/** Logs and fees of ranges of blocks, and traces in every form. */
function* tracesOf({ blocks, transactions }: ChainContents): Generator<Call> {
  for (const block of blocks) {
    yield { method: "eth_getLogs", params: [{ fromBlock: "0x0", toBlock: block }] };
    yield { method: "eth_feeHistory", params: ["0x5", block, [0, 50, 100]] };
    yield { method: "trace_filter", params: [{ fromBlock: block, toBlock: block }] };
    yield { method: "trace_replayBlockTransactions", params: [block, TRACES] };
    for (const tracer of TRACERS) {
      yield { method: "debug_traceBlockByNumber", params: [block, { tracer }] };
    }
  }
  for (const hash of transactions) {
    for (const tracer of TRACERS) {
      yield { method: "debug_traceTransaction", params: [hash, { tracer }] };
    }
  }
}

/** Proofs, storage and calls of accounts after some blocks. */
function* callsOfStates({ states, accounts }: ChainContents): Generator<Call> {
  const [from] = accounts;
  for (const block of states) {
    for (const to of accounts) {
      yield { method: "eth_getProof", params: [to, SLOTS, block] };
      for (const slot of SLOTS) yield { method: "eth_getStorageAt", params: [to, slot, block] };
      yield { method: "eth_call", params: [{ from, to, data: CREATION }, block] };
      yield { method: "eth_estimateGas", params: [{ from, to }, block] };
      yield { method: "eth_createAccessList", params: [{ from, to }, block] };
      yield { method: "debug_traceCall", params: [{ from, to }, block] };
      yield { method: "trace_call", params: [{ from, to }, TRACES, block] };
    }
  }
}

/** The first and the last one, and some between them. */
function sample<T>(list: readonly T[], count: number): readonly T[] {
  const step = (list.length - 1) / (count - 1);
  return list.length <= count
    ? list
    : Array.from({ length: count }, (_, index) => list[Math.round(index * step)] as T);
}

function product(lists: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return lists.reduce<readonly (readonly unknown[])[]>(
    (rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  );
}
