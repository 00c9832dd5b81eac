import { type Codec, type Header, t, type ValueOf } from "@plinth/core";

/** A header as JSON-RPC describes it; numbers as any client writes them. */
export const headerMembers = {
  parentHash: t.hash,
  sha3Uncles: t.hash,
  miner: t.address,
  stateRoot: t.hash,
  transactionsRoot: t.hash,
  receiptsRoot: t.hash,
  logsBloom: t.data,
  difficulty: t.wei,
  number: t.wei,
  gasLimit: t.wei,
  gasUsed: t.wei,
  timestamp: t.wei,
  extraData: t.data,
  mixHash: t.optional(t.hash),
  nonce: t.optional(t.data),
  baseFeePerGas: t.optional(t.wei),
  withdrawalsRoot: t.optional(t.hash),
  blobGasUsed: t.optional(t.wei),
  excessBlobGas: t.optional(t.wei),
  parentBeaconBlockRoot: t.optional(t.hash),
  requestsHash: t.optional(t.hash),
};

const form = t.object(headerMembers);

const NO_HASH = `0x${"00".repeat(32)}` as const;
const NONCE_BYTES = 8;

/** The header of a block as JSON-RPC describes it. */
export const headerJson: Pick<Codec<Header>, "decode"> = {
  decode: (json, path) => toHeader(form.decode(json, path)),
};

/** The header, whose hash is to be compared. */
export function toHeader(json: ValueOf<typeof form>): Header {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas } = json;
  const { parentBeaconBlockRoot, requestsHash } = json;
  return {
    parentHash: json.parentHash,
    unclesHash: json.sha3Uncles,
    coinbase: json.miner,
    stateRoot: json.stateRoot,
    transactionsRoot: json.transactionsRoot,
    receiptsRoot: json.receiptsRoot,
    logsBloom: json.logsBloom,
    difficulty: json.difficulty,
    number: json.number,
    gasLimit: json.gasLimit,
    gasUsed: json.gasUsed,
    timestamp: json.timestamp,
    extraData: json.extraData,
    mixHash: json.mixHash ?? NO_HASH,
    nonce: json.nonce ?? new Uint8Array(NONCE_BYTES),
    ...(baseFeePerGas !== undefined && { baseFeePerGas }),
    ...(withdrawalsRoot !== undefined && { withdrawalsRoot }),
    ...(blobGasUsed !== undefined && { blobGasUsed }),
    ...(excessBlobGas !== undefined && { excessBlobGas }),
    ...(parentBeaconBlockRoot !== undefined && { parentBeaconBlockRoot }),
    ...(requestsHash !== undefined && { requestsHash }),
  };
}
