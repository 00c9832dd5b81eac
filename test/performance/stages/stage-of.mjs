// Which step of a request a piece of a profile belongs to.

/**
 * The steps, each with the files whose functions belong to it, and the names of the functions if it is not all of them.
 * The first one that matches counts.
 *
 * Files of no step (RLP, hex, hashes, the database) belong to the one that calls them.
 */
export const RULES = [
  ["recover", "core/contract/src/blocks/transaction.ts", /^recover|^findPublicKey$|^signedBytes$/],
  ["recover", "core/contract/src/blocks/recovered-senders.ts"],
  ["decode", "core/contract/src/blocks/transaction.ts", /^(decode|read)Transaction$/],
  ["decode", "core/contract/src/blocks/blob-sidecar.ts"],
  ["decode", "core/contract/src/blocks/transaction-fields.ts"],
  ["decode", "core/node/src/rpc/decode-params.ts"],
  ["response", "core/node/src/rpc/encode-result.ts"],
  ["response", "core/node/src/rpc/verify-result.ts"],
  ["response", "core/contract/src/rpc/", /^(respond|sizeOf|outcomeOf)/],
  ["response", "kits/kit-http/src/bodies/send.ts"],
  ["response", "kits/kit-http/src/bodies/pieces.ts"],
  ["response", "plugins/rpc/rpc-eth/src/logs/encode-logs.ts"],
  ["response", "plugins/rpc/rpc-eth/src/logs/logs-result.ts"],
  ["response", "kits/kit-rpc/src/objects/"],
  ["response", "plugins/transport/transport-http/src/", /^(send|contentTypeOf)$/],
  ["parse", "core/contract/src/codec/parse-json.ts"],
  ["parse", "core/node/src/rpc/"],
  ["parse", "core/contract/src/rpc/"],
  ["accept", "kits/kit-http/"],
  ["accept", "plugins/transport/"],
  ["admit", "core/chain/src/pool/"],
  ["roots", "core/chain/src/state/state-root.ts"],
  ["roots", "core/chain/src/state/update/"],
  ["roots", "core/contract/src/blocks/ordered-root.ts"],
  ["roots", "core/chain/src/import/execute-block.ts", /^finish$/],
  ["execute", "plugins/evm/"],
  ["execute", "core/chain/src/import/execute-block.ts"],
  ["execute", "core/chain/src/import/system-calls.ts"],
  ["execute", "core/chain/src/import/requests.ts"],
  ["build", "core/chain/src/build/"],
  ["build", "core/node/src/produce/"],
  ["build", "plugins/consensus/"],
  ["commit", "core/chain/src/import/"],
  ["commit", "core/chain/src/flat/flat-layout.ts", /^(stage|add|findUnneeded)$/],
  ["commit", "core/chain/src/flat/next-block.ts"],
  ["commit", "core/chain/src/state/state-store.ts", /^(stage|writeTo|writeInTurns|add)$/],
  ["commit", "core/node/src/open/ledger.ts"],
  ["commit", "plugins/storage/storage-level/src/store/level-store.ts", /^(write|writeNow)$/],
  ["taps", "plugins/query/address-index/"],
  ["taps", "plugins/query/log-index/"],
  ["taps", "kits/kit-index/"],
  ["taps", "plugins/dev/"],
  ["taps", "plugins/observe/"],
  ["taps", "plugins/network/"],
  ["taps", "plugins/rpc/rpc-subscribe/"],
  ["taps", "plugins/rpc/rpc-eth/src/filters/"],
  ["threads", "plugins/query/query-threads/"],
  ["threads", "core/node/src/open/node-queries.ts"],
  ["search", "kits/kit-rpc/src/logs/"],
  ["prepare", "core/chain/src/query/"],
  ["prepare", "core/chain/src/blockchain/"],
  ["prepare", "plugins/rpc/"],
  ["prepare", "kits/kit-rpc/"],
];

/** What is left, by the first frame of the stack that says it. */
const REST = [
  ["garbage", ({ name }) => name === "(garbage collector)"],
  ["accept", ({ file }) => /^node:(_http|net|internal\/(stream|http|timers|js_stream))/.test(file)],
  ["system", ({ name }) => name === "(program)"],
];

/** The step of a stack, the innermost frame first. */
export function stageOf(frames) {
  for (const frame of frames) {
    const rule = RULES.find((each) => matches(each, frame));
    if (rule !== undefined) return rule[0];
  }
  const rest = REST.find(([, says]) => frames.some(says));
  return rest?.[0] ?? "other";
}

function matches([, path, names], { name, file }) {
  if (path.endsWith("/") ? !file.startsWith(path) : file !== path) return false;
  // V8 writes private methods as they are declared.
  return names === undefined || names.test(name.replace(/^.*[.#]/, ""));
}

/** Microseconds by step. */
export function sumStages(stacks) {
  const sums = new Map();
  for (const { frames, us } of stacks) {
    const stage = stageOf(frames);
    sums.set(stage, (sums.get(stage) ?? 0) + us);
  }
  return sums;
}
