import { type Codec, DecodeError, type Transaction, t } from "@plinth/core";

/** Whether a transaction matches. */
export type PendingFilter = (transaction: Transaction) => boolean;

const LIMIT_TEXT = "Invalid transaction limit params";
const SHAPE_TEXT = "Invalid pending transactions params";
const OPERATOR_TEXT = "Invalid filter params";

/** Maximum number of results. */
export const limit: Codec<number> = t.withText(t.integer({ min: 0, max: 2 ** 31 - 1 }), LIMIT_TEXT);

const COMPARE: Readonly<Record<string, (found: bigint, wanted: bigint) => boolean>> = {
  eq: (found, wanted) => found === wanted,
  gt: (found, wanted) => found > wanted,
  lt: (found, wanted) => found < wanted,
};

type Test = (operator: string, json: unknown, path: string) => PendingFilter;

const TESTS: Readonly<Record<string, Test>> = {
  from: (operator, json, path) => {
    verifyOperator(operator === "eq", path);
    const wanted = t.address.decode(json, path);
    return ({ sender }) => sender === wanted;
  },
  to: (operator, json, path) => {
    if (operator === "action") {
      verifyOperator(json === "contract_creation", path);
      return ({ to }) => to === undefined;
    }
    verifyOperator(operator === "eq", path);
    const wanted = t.address.decode(json, path);
    return ({ to }) => to === wanted;
  },
  gas: amountOf(({ gasLimit }) => gasLimit),
  // A transaction with a fee cap has no fixed price.
  gasPrice: amountOf(({ gasPrice }) => gasPrice),
  value: amountOf(({ value }) => value),
  nonce: amountOf(({ nonce }) => nonce),
};

/** Decodes a filter: all conditions must hold, each has one operator. */
export const pendingFilter: Codec<PendingFilter> = {
  decode(json, path = "") {
    const conditions = t.withText(t.record(t.record(t.json)), SHAPE_TEXT).decode(json, path);
    const tests = Object.entries(conditions).map(([key, condition]) => {
      const place = path === "" ? key : `${path}.${key}`;
      const test = Object.hasOwn(TESTS, key) ? TESTS[key] : undefined;
      const [only, ...others] = Object.entries(condition);
      if (test === undefined) throw new DecodeError(place, "a known key", SHAPE_TEXT);
      if (only === undefined || others.length > 0) {
        throw new DecodeError(place, "one operator", OPERATOR_TEXT);
      }
      return decodeWith(OPERATOR_TEXT, () => test(only[0], only[1], place));
    });
    return (transaction) => tests.every((isWanted) => isWanted(transaction));
  },
  encode: () => ({}),
  schema: { type: "object" },
};

function amountOf(read: (transaction: Transaction) => bigint | undefined): Test {
  return (operator, json, path) => {
    const compare = Object.hasOwn(COMPARE, operator) ? COMPARE[operator] : undefined;
    verifyOperator(compare !== undefined, path);
    const wanted = decodeAmount(json, path);
    return (transaction) => {
      const found = read(transaction);
      return found !== undefined && compare?.(found, wanted) === true;
    };
  };
}

/** Hex, or decimal digits. */
function decodeAmount(json: unknown, path: string): bigint {
  const isDecimal = typeof json === "string" && /^\d{1,20}$/.test(json);
  return isDecimal ? BigInt(json) : t.wei.decode(json, path);
}

function verifyOperator(isKnown: boolean, path: string): void {
  if (!isKnown) throw new DecodeError(path, "an operator of this key", OPERATOR_TEXT);
}

/** Replaces every decoding error by this text. */
function decodeWith<T>(text: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(error.path, error.expected, text);
  }
}
