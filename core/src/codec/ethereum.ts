import { type Address, findBytes, type Hash, toHex } from "../primitives/hex.js";
import { basics, type Codec, DecodeError } from "./codec.js";

const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]*)$/i;

/** A number as `0x` and hex digits without leading zeros. */
const quantity: Codec<bigint> = {
  decode(json, path = "") {
    if (typeof json !== "string" || !QUANTITY.test(json) || json.length > 66) {
      throw new DecodeError(path, "a quantity such as 0x1f");
    }
    return BigInt(json);
  },
  encode: (value) => `0x${value.toString(16)}`,
  schema: { type: "string", pattern: "^0x(0|[1-9a-f][0-9a-f]*)$" },
};

/** Bytes as `0x` and an even number of hex digits. */
const data: Codec<Uint8Array> = {
  decode(json, path = "") {
    const bytes = typeof json === "string" && json.startsWith("0x") ? findBytes(json) : undefined;
    if (bytes === undefined) {
      throw new DecodeError(path, "hex data such as 0x00ff", "Invalid data params");
    }
    return bytes;
  },
  encode: toHex,
  schema: { type: "string", pattern: "^0x([0-9a-f]{2})*$" },
};

function fixed(bytes: number, label: string, text: string): Codec<Hash> {
  const form = new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, "i");
  return {
    decode(json, path = "") {
      if (typeof json !== "string" || !form.test(json)) {
        throw new DecodeError(path, `${label} (${bytes} bytes of hex)`, text);
      }
      return json.toLowerCase() as Hash;
    },
    encode: (value) => value,
    schema: { type: "string", pattern: `^0x[0-9a-f]{${bytes * 2}}$` },
  };
}

/** Every codec that parameters, results and genesis settings are declared with. */
export const t = {
  ...basics,
  quantity,
  data,
  hash: fixed(32, "a hash", "Invalid transaction hash params"),
  address: fixed(20, "an address", "Invalid address params") as Codec<Address>,
};
