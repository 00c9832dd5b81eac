import { type Header, type Hex, hexToBytes } from "@plinth/core";

/**
 * A header from the JSON of a block, as returned by `eth_getBlockByNumber`; throws if a field is
 * missing.
 */
export function headerFromJson(json: Readonly<Record<string, string>>): Header {
  const text = (name: string) => {
    const value = json[name];
    if (value === undefined) throw new Error(`the header has no ${name}`);
    return value as Hex;
  };
  return {
    parentHash: text("parentHash"),
    unclesHash: text("sha3Uncles"),
    coinbase: text("miner"),
    stateRoot: text("stateRoot"),
    transactionsRoot: text("transactionsRoot"),
    receiptsRoot: text("receiptsRoot"),
    logsBloom: hexToBytes(text("logsBloom")),
    difficulty: BigInt(text("difficulty")),
    number: BigInt(text("number")),
    gasLimit: BigInt(text("gasLimit")),
    gasUsed: BigInt(text("gasUsed")),
    timestamp: BigInt(text("timestamp")),
    extraData: hexToBytes(text("extraData")),
    mixHash: text("mixHash"),
    nonce: hexToBytes(text("nonce")),
    ...(json.baseFeePerGas === undefined ? {} : { baseFeePerGas: BigInt(json.baseFeePerGas) }),
  };
}
