import { type Codec, type Header, t } from "@plinth/core";

const form = t.object({
  parentHash: t.hash,
  sha3Uncles: t.hash,
  miner: t.address,
  stateRoot: t.hash,
  transactionsRoot: t.hash,
  receiptsRoot: t.hash,
  logsBloom: t.data,
  difficulty: t.quantity,
  number: t.quantity,
  gasLimit: t.quantity,
  gasUsed: t.quantity,
  timestamp: t.quantity,
  extraData: t.data,
  mixHash: t.optional(t.hash),
  nonce: t.optional(t.data),
  baseFeePerGas: t.optional(t.quantity),
  withdrawalsRoot: t.optional(t.hash),
  blobGasUsed: t.optional(t.quantity),
  excessBlobGas: t.optional(t.quantity),
  parentBeaconBlockRoot: t.optional(t.hash),
  requestsHash: t.optional(t.hash),
});

const NO_HASH = `0x${"00".repeat(32)}` as const;
const NONCE_BYTES = 8;

/** The header of a block as JSON-RPC describes it. */
export const headerJson: Pick<Codec<Header>, "decode"> = {
  decode: (json, path) => toHeader(form.decode(json, path)),
};

function toHeader(described: ReturnType<typeof form.decode>): Header {
  const {
    sha3Uncles: unclesHash,
    miner: coinbase,
    mixHash = NO_HASH,
    nonce = new Uint8Array(NONCE_BYTES),
    baseFeePerGas,
    withdrawalsRoot,
    blobGasUsed,
    excessBlobGas,
    parentBeaconBlockRoot,
    requestsHash,
    ...fields
  } = described;
  return {
    ...fields,
    unclesHash,
    coinbase,
    mixHash,
    nonce,
    ...(baseFeePerGas !== undefined && { baseFeePerGas }),
    ...(withdrawalsRoot !== undefined && { withdrawalsRoot }),
    ...(blobGasUsed !== undefined && { blobGasUsed }),
    ...(excessBlobGas !== undefined && { excessBlobGas }),
    ...(parentBeaconBlockRoot !== undefined && { parentBeaconBlockRoot }),
    ...(requestsHash !== undefined && { requestsHash }),
  };
}
