import { type Codec, DecodeError, type Transaction, t } from "@plinth/core";
import { blockOverrideFields, callRequest, stateOverrides } from "@plinth/kit-rpc";
import type { SimulatedBlock, SimulatedCall, SimulatedOverrides } from "./plan.js";

const withdrawal = t.object({
  index: t.gas,
  validatorIndex: t.gas,
  address: t.address,
  amount: t.gas,
});

const overrideFields = t.object({
  ...blockOverrideFields,
  mixHash: t.optional(t.hash),
  parentBeaconBlockRoot: t.optional(t.hash),
  beaconRoot: t.optional(t.hash),
  withdrawals: t.optional(t.array(withdrawal)),
});

const overrides: Codec<SimulatedOverrides> = {
  decode(json, path, reading) {
    const { mixHash, beaconRoot, withdrawals, ...rest } = overrideFields.decode(
      json,
      path,
      reading,
    );
    return {
      ...rest,
      prevRandao: rest.prevRandao ?? mixHash,
      parentBeaconBlockRoot: rest.parentBeaconBlockRoot ?? beaconRoot,
      withdrawals: withdrawals?.map(({ amount, ...paid }) => ({ ...paid, amountGwei: amount })),
    };
  },
  encode: (value) => value,
  schema: overrideFields.schema,
};

const NEWEST_TYPE = 4n;

/** The type of a transaction, as one byte. */
const type: Codec<Transaction["type"]> = {
  decode(json, path = "") {
    const number = t.wei.decode(json, path);
    if (number <= NEWEST_TYPE) return Number(number) as Transaction["type"];
    throw new DecodeError(path, "a transaction type, 0x0 to 0x4");
  },
  encode: (value) => t.quantity.encode(BigInt(value)),
  schema: t.quantity.schema,
};

const ownFields = t.object({ nonce: t.optional(t.uint64), type: t.optional(type) });

/** A call of a block; if `data` and `input` differ, `input` counts. */
const call: Codec<SimulatedCall> = {
  decode(json, path, reading) {
    const hasInput = typeof json === "object" && json !== null && Reflect.has(json, "input");
    const given = hasInput ? { ...json, data: undefined } : json;
    return { ...callRequest.decode(given, path, reading), ...ownFields.decode(json, path) };
  },
  encode: callRequest.encode,
  schema: callRequest.schema,
};

const block: Codec<SimulatedBlock> = t.object({
  blockOverrides: t.optional(overrides, {}),
  stateOverrides: t.optional(stateOverrides, new Map()),
  calls: t.optional(t.array(call), []),
});

/** The blocks to simulate. */
export const payload = t.withText(
  t.object({
    blockStateCalls: t.array(block),
    traceTransfers: t.optional(t.boolean, false),
    validation: t.optional(t.boolean, false),
    returnFullTransactions: t.optional(t.boolean, false),
  }),
  "Invalid params",
);
