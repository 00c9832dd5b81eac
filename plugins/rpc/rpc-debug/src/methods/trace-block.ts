import {
  type Block,
  type Codec,
  DecodeError,
  encodeBlock,
  encodeRlp,
  InvalidTransaction,
  method,
  type QueryCall,
  RlpError,
  RpcError,
  t,
  toHex,
} from "@plinth/core";
import { decodeBlock } from "@plinth/core/blocks";
import { traceBlock as trace } from "../trace/trace-block.js";
import { traceOptions, USUAL_OPTIONS } from "../trace/trace-options.js";

const TEXT = "Invalid block, unable to parse RLP";

/** A complete block in RLP. */
const blockBytes: Codec<Block> = {
  decode(json, path = "") {
    try {
      return decodeBlock(t.data.decode(json, path));
    } catch (error) {
      const isMalformed =
        error instanceof RlpError ||
        error instanceof InvalidTransaction ||
        error instanceof DecodeError;
      if (!isMalformed) throw error;
      throw new DecodeError(path, "a block in RLP", TEXT);
    }
  },
  encode: (block) => toHex(encodeBlock(block)),
  schema: { type: "string", pattern: "^0x([0-9a-f]{2})*$" },
};

const zeros = (length: number) => new Uint8Array(length);
const hashes = (count: number) => Array.from({ length: count }, () => zeros(32));
const numbers = Array.from({ length: 6 }, () => zeros(0));
/** A Frontier block with all fields zero. */
const EMPTY_BLOCK = toHex(
  encodeRlp([
    [...hashes(2), zeros(20), ...hashes(3), zeros(256), ...numbers, ...hashes(1), zeros(8)],
    [],
    [],
  ]),
);

/** `debug_traceBlock`: traces of the transactions of a block that need not be on the chain. */
export const traceBlock = method({
  offload: "long",
  summary: "Executes the given block on its parent and returns every step of each transaction.",
  params: { block: blockBytes, options: t.optional(traceOptions, USUAL_OPTIONS) },
  result: t.json,
  example: { params: [EMPTY_BLOCK], result: [] },
  handle({ block, options }, call: QueryCall) {
    const blocks = call.chain.blocks;
    if (blocks.findHeader(block.header.parentHash) === undefined) {
      throw new RpcError(-32000, "Parent block not found");
    }
    return trace(blocks, block, { options, call });
  },
});
