import { type Codec, t } from "@plinth/core";

const accessList = t.array(t.object({ address: t.address, storageKeys: t.array(t.hash) }));

const log = t.object({
  address: t.address,
  topics: t.array(t.hash),
  data: t.data,
  blockNumber: t.quantity,
  transactionHash: t.hash,
  transactionIndex: t.quantity,
  blockHash: t.hash,
  blockTimestamp: t.optional(t.quantity),
  logIndex: t.quantity,
  removed: t.boolean,
});

const transaction = t.object({
  blockHash: t.optional(t.hash),
  blockNumber: t.optional(t.quantity),
  blockTimestamp: t.optional(t.quantity),
  chainId: t.optional(t.quantity),
  from: t.address,
  gas: t.quantity,
  gasPrice: t.quantity,
  maxFeePerGas: t.optional(t.quantity),
  maxPriorityFeePerGas: t.optional(t.quantity),
  hash: t.hash,
  input: t.data,
  nonce: t.quantity,
  to: t.optional(t.address),
  transactionIndex: t.optional(t.quantity),
  type: t.quantity,
  value: t.quantity,
  accessList: t.optional(accessList),
  yParity: t.optional(t.quantity),
  maxFeePerBlobGas: t.optional(t.quantity),
  blobVersionedHashes: t.optional(t.array(t.hash)),
  authorizationList: t.optional(
    t.array(
      t.object({
        chainId: t.quantity,
        address: t.address,
        nonce: t.quantity,
        yParity: t.quantity,
        r: t.quantity,
        s: t.quantity,
      }),
    ),
  ),
  v: t.optional(t.quantity),
  r: t.quantity,
  s: t.quantity,
});

const receipt = t.object({
  blockHash: t.hash,
  blockNumber: t.quantity,
  transactionHash: t.hash,
  transactionIndex: t.quantity,
  contractAddress: t.optional(t.address),
  cumulativeGasUsed: t.quantity,
  from: t.address,
  gasUsed: t.quantity,
  effectiveGasPrice: t.quantity,
  logs: t.array(log),
  logsBloom: t.data,
  revertReason: t.optional(t.data),
  root: t.optional(t.hash),
  status: t.optional(t.quantity),
  to: t.optional(t.address),
  type: t.quantity,
  blobGasUsed: t.optional(t.quantity),
  blobGasPrice: t.optional(t.quantity),
});

/** A transaction of a block requested with full transactions, otherwise its hash. */
const hashOrTransaction: Codec<unknown> = {
  decode: (json, path, reading) =>
    (typeof json === "string" ? t.hash : transaction).decode(json, path, reading),
  encode: (json) => json,
  schema: { oneOf: [t.hash.schema, transaction.schema] },
};

const headerFields = {
  number: t.quantity,
  hash: t.hash,
  mixHash: t.hash,
  parentHash: t.hash,
  nonce: t.data,
  sha3Uncles: t.hash,
  logsBloom: t.data,
  transactionsRoot: t.hash,
  stateRoot: t.hash,
  receiptsRoot: t.hash,
  miner: t.address,
  difficulty: t.quantity,
  extraData: t.data,
  baseFeePerGas: t.optional(t.quantity),
  gasLimit: t.quantity,
  gasUsed: t.quantity,
  timestamp: t.quantity,
  withdrawalsRoot: t.optional(t.hash),
  blobGasUsed: t.optional(t.quantity),
  excessBlobGas: t.optional(t.quantity),
  parentBeaconBlockRoot: t.optional(t.hash),
  requestsHash: t.optional(t.hash),
};

const block = t.object({
  ...headerFields,
  totalDifficulty: t.optional(t.quantity),
  size: t.quantity,
  uncles: t.array(t.hash),
  transactions: t.array(hashOrTransaction),
  withdrawals: t.optional(
    t.array(
      t.object({
        index: t.quantity,
        validatorIndex: t.quantity,
        address: t.address,
        amount: t.quantity,
      }),
    ),
  ),
});

/** The results of methods that return such objects. */
export const shapes = {
  block: t.encoded(t.optional(block)),
  header: t.encoded(t.optional(t.object(headerFields))),
  transaction: t.encoded(t.optional(transaction)),
  receipt: t.encoded(t.optional(receipt)),
  receipts: t.encoded(t.optional(t.array(receipt))),
  logs: t.encoded(t.array(log)),
  proof: t.encoded(
    t.object({
      address: t.address,
      accountProof: t.array(t.data),
      balance: t.quantity,
      codeHash: t.hash,
      nonce: t.quantity,
      storageHash: t.hash,
      storageProof: t.array(t.object({ key: t.text, value: t.quantity, proof: t.array(t.data) })),
    }),
  ),
};
