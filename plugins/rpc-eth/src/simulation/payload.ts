import { type Codec, t } from "@plinth/core";
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

const nonceField = t.object({ nonce: t.optional(t.uint64) });

/** A call of a block; where `data` and `input` differ, `input` counts. */
const call: Codec<SimulatedCall> = {
  decode(json, path, reading) {
    const hasInput = typeof json === "object" && json !== null && Reflect.has(json, "input");
    const given = hasInput ? { ...json, data: undefined } : json;
    const { nonce } = nonceField.decode(json, path);
    return { ...callRequest.decode(given, path, reading), nonce };
  },
  encode: callRequest.encode,
  schema: callRequest.schema,
};

const block: Codec<SimulatedBlock> = t.object({
  blockOverrides: t.optional(overrides, {}),
  stateOverrides: t.optional(stateOverrides, new Map()),
  calls: t.optional(t.array(call), []),
});

/** What is to be simulated. */
export const payload = t.withText(
  t.object({
    blockStateCalls: t.array(block),
    traceTransfers: t.optional(t.boolean, false),
    validation: t.optional(t.boolean, false),
    returnFullTransactions: t.optional(t.boolean, false),
  }),
  "Invalid params",
);
