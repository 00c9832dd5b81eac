import { type Address, type Codec, DecodeError, type Hash, t } from "@plinth/core";
import type { AccountOverride, BlockOverrides, StateOverrides } from "@plinth/core/query";

const TEXT = "Invalid call params";

/** Storage slots with their values; both may omit leading zeros. */
const slots: Codec<ReadonlyMap<Hash, bigint>> = {
  decode(json, path = "", reading) {
    const given = t.record(t.wei).decode(json, path, reading);
    return new Map(
      Object.entries(given).map(([slot, value]) => {
        const number = t.wei.decode(slot, `${path}.${slot}`);
        return [`0x${number.toString(16).padStart(64, "0")}` as Hash, value];
      }),
    );
  },
  encode: (map) => Object.fromEntries([...map].map(([slot, value]) => [slot, t.wei.encode(value)])),
  schema: { type: "object", additionalProperties: t.wei.schema },
};

const account = t.object({
  balance: t.optional(t.wei),
  nonce: t.optional(t.uint64),
  code: t.optional(t.data),
  state: t.optional(slots),
  stateDiff: t.optional(slots),
  movePrecompileToAddress: t.optional(t.address),
});

const accounts = t.record(account);

/** Overrides of accounts in a simulation, by address. */
export const stateOverrides: Codec<StateOverrides> = t.withText(
  {
    decode(json, path = "", reading) {
      const given = accounts.decode(json, path, reading);
      return new Map(
        Object.entries(given).map(([name, override]) => {
          verifyStorage(override, `${path}.${name}`);
          return [t.address.decode(name, `${path}.${name}`) as Address, override];
        }),
      );
    },
    encode: (overrides) => accounts.encode(Object.fromEntries(overrides) as never),
    schema: accounts.schema,
  },
  TEXT,
);

function verifyStorage({ state, stateDiff }: AccountOverride, path: string): void {
  if (state === undefined || stateDiff === undefined) return;
  throw new DecodeError(path, "either state or stateDiff");
}

/** Randomness: a hash, or a number padded with zeros. */
const randomness: Codec<Hash> = {
  ...t.hash,
  decode(json, path = "") {
    return `0x${t.wei.decode(json, path).toString(16).padStart(64, "0")}`;
  },
};

/** The block fields that a call can override. */
export const blockOverrideFields = {
  number: t.optional(t.gas),
  time: t.optional(t.gas),
  gasLimit: t.optional(t.gas),
  difficulty: t.optional(t.wei),
  feeRecipient: t.optional(t.address),
  prevRandao: t.optional(randomness),
  baseFeePerGas: t.optional(t.wei),
  blobBaseFee: t.optional(t.wei),
};

/** Overrides of the block that a call runs in. */
export const blockOverrides: Codec<BlockOverrides> = t.withText(
  t.object(blockOverrideFields) as Codec<BlockOverrides>,
  TEXT,
);
