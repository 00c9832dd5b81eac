import {
  type BlockNumberOrTag,
  type Call,
  method,
  RpcError,
  type SealedHeader,
  t,
} from "@plinth/core";
import { type BftCall, type BftChain, orUnknown, verifyEra } from "./bft-chain.js";

const EXAMPLE = [`0x${"ab".repeat(20)}`];
const listed = t.optional(t.array(t.address));

/** `…_getValidatorsByBlockNumber`: the validators of a block of the canonical chain. */
export const getValidatorsByBlockNumber = method({
  summary: "Lists the validators of a block; null if the block does not exist.",
  params: { block: t.blockNumber },
  result: listed,
  example: { params: ["latest"], result: EXAMPLE },
  async handle({ block }, call: BftCall) {
    const { bft: chain } = call;
    if (block === "pending") {
      const head = call.chain.blocks.head();
      verifyEra(chain, head.number + 1n);
      return call.compatibility.mode === "besu" && !chain.isContract(head)
        ? chain.votedAfter(head)
        : orUnknown(chain.validatorsAfter(head));
    }
    return listAt(findHeader(block, call), chain);
  },
});

/** `…_getValidatorsByBlockHash`: the same on any branch. */
export const getValidatorsByBlockHash = method({
  summary: "Lists the validators of the block with a hash; null if the block does not exist.",
  params: { hash: t.withText(t.hash, "Invalid block hash params") },
  result: listed,
  example: { params: [`0x${"12".repeat(32)}`], result: EXAMPLE },
  handle: ({ hash }, { bft, chain }: BftCall) => listAt(chain.blocks.findHeader(hash), bft),
});

function listAt(header: SealedHeader | undefined, chain: BftChain) {
  if (header === undefined) return undefined;
  verifyEra(chain, header.number);
  return orUnknown(chain.validatorsAt(header));
}

function findHeader(id: BlockNumberOrTag, call: Call): SealedHeader | undefined {
  const { blocks } = call.chain;
  if (typeof id === "bigint") return id < 0n ? undefined : blocks.findHeader(id);
  if (id === "earliest") return blocks.findHeader(0n);
  if (id === "latest" || id === "pending") return blocks.head();
  const final = blocks.finalized();
  if (final !== undefined) return final;
  throw new RpcError(-39001, "Unknown block");
}
