import { type Address, type Codec, DecodeError, t, type ValueOf } from "@plinth/core";

/** An address, or blank for none. */
const beneficiary: Codec<Address | ""> = {
  decode(json, path = "") {
    if (typeof json === "string" && json.trim() === "") return "";
    if (typeof json === "string" && /^(0x)?[0-9a-f]{40}$/i.test(json)) {
      return `0x${json.replace(/^0x/i, "").toLowerCase()}`;
    }
    throw new DecodeError(path, "an address of 20 bytes, or blank for the proposer");
  },
  encode: (value) => value,
  schema: { type: "string" },
};

/** Maximum number of digits of a 256-bit amount. */
const MAX_AMOUNT_DIGITS = 78;
const MAX_AMOUNT = 2n ** 256n - 1n;

/** An amount in wei as text, decimal or hexadecimal. */
const amount: Codec<bigint> = {
  decode(json, path = "") {
    const text = typeof json === "number" ? String(json) : json;
    const isAmount =
      typeof text === "string" &&
      text.length <= MAX_AMOUNT_DIGITS &&
      /^(0x[0-9a-f]+|\d+)$/i.test(text) &&
      BigInt(text) <= MAX_AMOUNT;
    if (isAmount) return BigInt(text);
    throw new DecodeError(path, "an amount in wei of at most 256 bits, decimal or hexadecimal");
  },
  encode: (value) => value.toString(),
  schema: { type: "string" },
};

/** A positive integer, as a number or as text. */
const positive: Codec<number> = {
  decode(json, path = "") {
    const value = typeof json === "string" && /^\d+$/.test(json) ? Number(json) : json;
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
    throw new DecodeError(path, "an integer of at least 1");
  },
  encode: (value) => value,
  schema: { type: "integer", minimum: 1 },
};

/** An amount of gas as a number or as text, decimal or hexadecimal. */
const gas: Codec<bigint> = {
  decode(json, path = "") {
    const text = typeof json === "number" ? String(json) : json;
    // Besu reads a leading zero as octal.
    if (typeof text !== "string" || !/^(0x[0-9a-f]{1,16}|0|[1-9]\d{0,18})$/i.test(text)) {
      throw new DecodeError(path, "an amount of gas, decimal or hexadecimal, or 0 for no limit");
    }
    return BigInt(text);
  },
  encode: (value) => value.toString(),
  schema: { type: "string" },
};

const limit = (value: number) => t.optional(t.integer({ min: 0 }), value);

/** The settings of every BFT engine under its key of the genesis file. */
export const bftSettings = {
  blockPeriodSeconds: t.optional(positive, 1),
  epochLength: t.optional(t.integer({ min: 1 }), 30_000),
  requestTimeoutSeconds: t.optional(positive, 1),
  messageQueueLimit: t.optional(t.integer({ min: 1 }), 1000),
  duplicateMessageLimit: limit(100),
  gossipedHistoryLimit: limit(1000),
  futureMessagesLimit: limit(1000),
  futureMessagesMaxDistance: limit(10),
  miningBeneficiary: t.optional(beneficiary),
  blockReward: t.optional(amount, 0n),
  xBlockPeriodMilliseconds: limit(0),
  emptyBlockPeriodSeconds: t.optional(t.integer({ min: 0 })),
  /** Its name in Besu before 26.5. */
  xEmptyBlockPeriodSeconds: t.optional(t.integer({ min: 0 })),
  perTxGasLimit: t.optional(gas),
};

/** The settings that a transition of every BFT engine may change. */
export const bftTransition = {
  block: t.integer({ min: 1 }),
  validators: t.optional(t.array(t.address)),
  blockPeriodSeconds: t.optional(positive),
  blockReward: t.optional(amount),
  miningBeneficiary: t.optional(beneficiary),
  xBlockPeriodMilliseconds: t.optional(t.integer({ min: 0 })),
  emptyBlockPeriodSeconds: t.optional(t.integer({ min: 0 })),
  xEmptyBlockPeriodSeconds: t.optional(t.integer({ min: 0 })),
  perTxGasLimit: t.optional(gas),
};

const settings = t.object(bftSettings);
const transition = t.object(bftTransition);

/** The settings of a BFT engine as a value. */
export type BftSettings = ValueOf<typeof settings>;
/** A transition of a BFT engine as a value. */
export type BftTransition = ValueOf<typeof transition>;
