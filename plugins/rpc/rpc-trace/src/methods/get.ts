import { type Codec, DecodeError, method, type QueryCall, t } from "@plinth/core";
import { findTransaction, transactionHash } from "@plinth/kit-trace";
import { CALL_TRACE } from "../examples.js";
import { tracesOfTransaction } from "../traced-block.js";

const NUMBER = /^0x[0-9a-f]{1,8}$/i;

/** A trace address: the index in each frame, starting with the outermost. */
const traceNumbers: Codec<readonly number[]> = {
  decode(json, path = "") {
    const isList = Array.isArray(json) && json.every((item) => NUMBER.test(String(item)));
    if (isList) return json.map(Number);
    throw new DecodeError(path, "a list of numbers such as 0x0", "Invalid trace numbers params");
  },
  encode: (value) => value.map((number) => `0x${number.toString(16)}`),
  schema: { type: "array", items: { type: "string", pattern: "^0x[0-9a-f]{1,8}$" } },
};

/** `trace_get`: one call of a transaction. */
export const get = method({
  offload: "long",
  summary: "Returns one call of a transaction by its trace address; null if there is none.",
  params: { hash: transactionHash, numbers: traceNumbers },
  exactParams: true,
  result: t.json,
  example: { params: [`0x${"ab".repeat(32)}`, []], result: CALL_TRACE },
  async handle({ hash, numbers }, call: QueryCall) {
    const blocks = call.chain.blocks;
    const found = findTransaction(blocks, hash);
    if (found === undefined) return null;
    const traces = await tracesOfTransaction(blocks, found, call);
    const wanted = numbers.join();
    return traces.find(({ traceAddress }) => traceAddress.join() === wanted) ?? null;
  },
});
