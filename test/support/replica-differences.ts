import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** A response of JSON-RPC. */
export interface Response {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Methods whose responses may differ on a replica, as `docs/operators/replicas.md` says. */
export interface Difference {
  /** Names, or namespaces with `_*`. */
  readonly methods: readonly string[];
  readonly why: string;
  /** The replica first, if the source would act on it; only the replica, if it must refuse it. */
  readonly to: "both" | "replica first" | "replica";
  /** Whether the responses are as documented; the source has none if only the replica was called. */
  isDocumented(ours: Response, theirs: Response): boolean;
}

const REFUSAL = "Method not enabled: this node is a replica (--follow): ";

/** All of them. */
export const DIFFERENCES: readonly Difference[] = [
  {
    methods: ["eea_*", "priv_*", "privx_*", "miner_*"],
    why: "a replica has no private transactions, and produces no blocks",
    to: "replica",
    isDocumented: isRefusal,
  },
  {
    methods: [
      ...["debug_setHead", "debug_replayBlock"],
      ...["clique_propose", "clique_discard"],
      ...["ibft_proposeValidatorVote", "ibft_discardValidatorVote"],
      ...["qbft_proposeValidatorVote", "qbft_discardValidatorVote"],
    ],
    why: "the source decides about its head and its votes",
    to: "replica",
    isDocumented: isRefusal,
  },
  {
    methods: ["eth_newPendingTransactionFilter"],
    why: "a replica has no pending transactions",
    to: "both",
    isDocumented: isRefusal,
  },
  {
    methods: ["eth_sendRawTransaction"],
    why: "forwarded: what the replica has sent is known to the source",
    to: "replica first",
    isDocumented: (ours, theirs) =>
      ours.error === undefined && /^known transaction$/i.test(theirs.error?.message ?? ""),
  },
  {
    methods: ["eth_newFilter", "eth_newBlockFilter"],
    why: "the ids of filters are random",
    to: "both",
    isDocumented: (ours, theirs) =>
      [ours, theirs].every(({ result }) => /^0x[0-9a-f]{1,32}$/.test(String(result))),
  },
  {
    methods: ["eth_mining"],
    why: "a replica produces no blocks",
    to: "both",
    isDocumented: ({ result }) => result === false,
  },
  {
    methods: ["eth_coinbase"],
    why: "a replica has no key",
    to: "both",
    isDocumented: ({ error }) => error?.message === "Coinbase must be explicitly specified",
  },
  {
    methods: ["admin_nodeInfo"],
    why: "a replica has no key, so no id",
    to: "both",
    isDocumented(ours, theirs) {
      const { id, ...others } = Object(theirs.result);
      return id !== undefined && isDeepStrictEqual(ours.result, others);
    },
  },
  {
    methods: ["net_services"],
    why: "other ports",
    to: "both",
    isDocumented: (ours, theirs) =>
      isDeepStrictEqual(Object.keys(Object(ours.result)), Object.keys(Object(theirs.result))),
  },
  {
    methods: ["debug_metrics"],
    why: "those of this process, and of the replica; the chain is the same",
    to: "both",
    isDocumented: (ours, theirs) =>
      isDeepStrictEqual(Object(ours.result).blockchain, Object(theirs.result).blockchain),
  },
  {
    methods: ["plinth_status"],
    why: "the state of this process; the chain is the same",
    to: "both",
    isDocumented: (ours, theirs) =>
      ["clientVersion", "chainId", "networkId", "genesisHash", "head"].every((key) =>
        isDeepStrictEqual(Object(ours.result)[key], Object(theirs.result)[key]),
      ),
  },
  {
    methods: ["debug_standardTraceBlockToFile"],
    why: "the files have the time in their names, and how long the run took; they are the same otherwise",
    to: "both",
    isDocumented: (ours, theirs) => isDeepStrictEqual(readFiles(ours), readFiles(theirs)),
  },
  {
    methods: ["plinth_describeChanges"],
    why: "nodes have different streams, if they keep one",
    to: "both",
    isDocumented: ({ error }) => error?.message.endsWith("--changes-enabled is not set") === true,
  },
];

/** Methods that no suite calls on a replica and its source, and why. */
export const UNCALLED: Readonly<Record<string, string>> = {
  debug_resyncWorldState: "rebuilds the states in the background",
  debug_resyncWorldstate: "rebuilds the states in the background",
};

/** How a method may differ; `undefined` if it must not. */
export function findDifference(method: string): Difference | undefined {
  const [namespace] = method.split("_");
  return DIFFERENCES.find(
    ({ methods }) => methods.includes(method) || methods.includes(`${namespace}_*`),
  );
}

/** The contents of files that a response names, without how long the run took. */
function readFiles({ result }: Response): readonly string[] {
  if (!Array.isArray(result)) throw new Error("the response names no files");
  return result.map((path) => readFileSync(path, "utf8").replace(/,"time":\d+}\n$/, ""));
}

/** Whether a replica refused a call because it is one. */
export function isRefusal({ error }: Response): boolean {
  return error?.code === -32604 && error.message.startsWith(REFUSAL);
}
