import { type Call, type Codec, DecodeError, method, parseHex, t, Yielder } from "@plinth/core";
import { findRejectionName, INVALID_HEX } from "../rejection-name.js";

const TEXT = "Invalid params";
/** More than fit into a request of 5 MiB; lists of invalid entries can be much longer. */
const MAX_TRANSACTIONS = 65_536;

/** Hex texts, as separate parameters or as one list. */
const rawTransactions: Codec<readonly string[]> = {
  decode(json, path = "") {
    const list =
      Array.isArray(json) && json.length === 1 && Array.isArray(json[0]) ? json[0] : json;
    if (!Array.isArray(list)) throw new DecodeError(path, "a list", TEXT);
    if (list.length > MAX_TRANSACTIONS) {
      throw new DecodeError(path, `at most ${MAX_TRANSACTIONS} transactions`, TEXT);
    }
    return list.map((item, index) => {
      if (typeof item === "string") return item;
      throw new DecodeError(`${path}[${index}]`, "a raw transaction", TEXT);
    });
  },
  encode: (value) => value,
  schema: { type: "array", items: { type: "string" }, maxItems: MAX_TRANSACTIONS },
};

/** `debug_batchSendRawTransaction`: adds signed transactions to the pool, one after another. */
export const batchSendRawTransaction = method({
  summary: "Sends signed transactions one after another and returns which were accepted.",
  params: { transactions: rawTransactions },
  takesRest: true,
  result: t.json,
  example: { params: [["0x02c0"]], result: [{ index: 0, success: true }] },
  async handle({ transactions }, call: Call) {
    const results: object[] = [];
    const turns = new Yielder();
    for (const [index, text] of transactions.entries()) {
      const errorMessage = await findProblem(text, call);
      const success = errorMessage === undefined;
      results.push(success ? { index, success } : { index, success, errorMessage });
      if (turns.isDue) await turns.yield();
    }
    return results;
  },
});

/** Why the pool rejects a transaction; `undefined` if it accepts it. */
async function findProblem(
  text: string,
  { pool, compatibility }: Call,
): Promise<string | undefined> {
  const bytes = parseHex(text);
  if (bytes === undefined) return INVALID_HEX;
  // Besu's message, observed live.
  if (bytes.length === 0) return "index is out of bounds";
  try {
    await pool.submit(bytes);
    return undefined;
  } catch (error) {
    const name = findRejectionName(error, compatibility);
    if (name === undefined) throw error;
    return name;
  }
}
