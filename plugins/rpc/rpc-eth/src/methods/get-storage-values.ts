import {
  type Address,
  type Call,
  type Codec,
  DecodeError,
  type Hash,
  method,
  t,
} from "@plinth/core";
import { getStateHeader } from "@plinth/kit-rpc";
import { position } from "../params.js";

/** Maximum number of slots per call. */
const MAX_SLOTS = 1024;
const WORD_DIGITS = 64;

type Slots = ReadonlyMap<Address, readonly Hash[]>;

const fields = t.record(t.array(position));

const slots: Codec<Slots> = {
  decode(json, path = "", reading) {
    // Counted before they are decoded: there may be hundreds of thousands.
    const lists = typeof json === "object" && json !== null ? Object.values(json) : [];
    const count = lists.reduce<number>(
      (sum, keys) => sum + (Array.isArray(keys) ? keys.length : 1),
      0,
    );
    if (count > MAX_SLOTS) throw new DecodeError(path, `1 to ${MAX_SLOTS} slots`);
    const given = Object.entries(fields.decode(json, path, reading));
    if (given.every(([, keys]) => keys.length === 0)) {
      throw new DecodeError(path, `1 to ${MAX_SLOTS} slots`);
    }
    return new Map(given.map(([name, keys]) => [t.address.decode(name, `${path}.${name}`), keys]));
  },
  encode: (value) => fields.encode(Object.fromEntries(value)),
  schema: fields.schema,
};

/** `eth_getStorageValues`: words of the storage of several contracts at once. */
export const getStorageValues = method({
  summary: "Returns words of the storage of several contracts.",
  absentIn: "besu",
  params: { slots, block: t.optional(t.blockId) },
  result: t.record(t.array(t.text)),
  example: {
    params: [{ "0x00000000000000000000000000000000000000b0": ["0x0"] }, "latest"],
    result: { "0x00000000000000000000000000000000000000b0": [`0x${"00".repeat(32)}`] },
  },
  handle({ slots, block }, call: Call) {
    const state = call.chain.blocks.stateAt(getStateHeader(call, block));
    const answer = [...slots].map(([address, keys]) => [
      address,
      keys.map((key) => wordOf(state.getStorage(address, key))),
    ]);
    return Object.fromEntries(answer);
  },
});

function wordOf(value: bigint): string {
  return `0x${value.toString(16).padStart(WORD_DIGITS, "0")}`;
}
