import { RpcError } from "@plinth/core";

/** A call of a method of this node, as it was received. */
export interface ReceivedCall {
  /** With its namespace. */
  readonly name: string;
  /** The parameters as JSON, in their order. */
  readonly sent: readonly unknown[];
  /** The result of this node. */
  run(): Promise<unknown>;
  /** The result of the source as JSON, which may take `waitMs` longer than usual; rejects with its error. */
  forward(waitMs?: number): Promise<unknown>;
  /** JSON as a result. */
  reply(json: unknown): unknown;
}

/** What a replica does instead of a method. */
export type Replacement = (call: ReceivedCall) => Promise<unknown>;

const PENDING = "pending";
const PENDING_SUBSCRIPTION = "newPendingTransactions";
/** The transaction pool of a replica is empty, so these are about that of its source. */
const OF_POOL = [
  "eth_sendRawTransaction",
  "debug_batchSendRawTransaction",
  "plinth_explainTransaction",
  "admin_dropTransaction",
];
/** The longest time that callers of `eth_sendRawTransactionSync` can choose. */
const LONGEST_SYNC_MS = 300_000;
const NO_VOTES = "it has no key to vote with: use its source, or a validator";
/** Methods without a meaning here, by their names or namespaces, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  eea: "private transactions need a node of their group",
  priv: "private transactions need a node of their group",
  privx: "private transactions need a node of their group",
  miner: "it produces no blocks",
  evm: "its blocks come from its source: use that to change the chain",
  hardhat: "its blocks come from its source: use that to change the chain",
  anvil: "its blocks come from its source: use that to change the chain",
  debug_setHead: "its source decides about the head: set that of the source",
  debug_replayBlock: "its source decides about the head, which this would set back",
  clique_propose: NO_VOTES,
  clique_discard: NO_VOTES,
  ibft_proposeValidatorVote: NO_VOTES,
  ibft_discardValidatorVote: NO_VOTES,
  qbft_proposeValidatorVote: NO_VOTES,
  qbft_discardValidatorVote: NO_VOTES,
  eth_newPendingTransactionFilter: "it has no pending transactions: use its source",
};

/** What a replica does instead of a method; `undefined` if it is like on any node. */
export function findReplacement(namespace: string, name: string): Replacement | undefined {
  const reason = REFUSED[name] ?? REFUSED[namespace];
  if (reason !== undefined) return () => Promise.reject(refusal(reason));
  if (name === "eth_sendRawTransactionSync") return sentSync;
  if (OF_POOL.includes(name) || namespace === "txpool") return forwarded;
  if (name === "eth_getTransactionCount") return nonceOf;
  if (name === "eth_getTransactionByHash") return transactionOf;
  if (name === "eth_subscribe") return subscribed;
  return undefined;
}

const forwarded: Replacement = async ({ forward, reply }) => reply(await forward());

/** The source responds when the transaction is in a block. */
const sentSync: Replacement = async ({ forward, reply }) => reply(await forward(LONGEST_SYNC_MS));

/** The pending nonce is that of the pool. */
const nonceOf: Replacement = (call) => {
  const [, block] = call.sent;
  const isPending = typeof block === "string" && block.toLowerCase() === PENDING;
  return isPending ? forwarded(call) : call.run();
};

/** One that is not in a block here may be pending, or in a block that has not come yet: until then it is pending here. */
const transactionOf: Replacement = async ({ run, forward, reply }) => {
  const found = await run();
  if (found !== null) return found;
  const theirs = await forward();
  if (typeof theirs !== "object" || theirs === null) return null;
  return reply({
    ...theirs,
    ...{ blockHash: null, blockNumber: null, transactionIndex: null },
  });
};

const subscribed: Replacement = (call) => {
  const [topic] = call.sent;
  if (topic !== PENDING_SUBSCRIPTION) return call.run();
  return Promise.reject(refusal("it has no pending transactions: subscribe at its source"));
};

function refusal(reason: string): RpcError {
  return RpcError.methodNotEnabled(`this node is a replica (--follow): ${reason}`);
}
