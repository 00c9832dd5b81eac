import {
  type BlockNumberOrTag,
  type Call,
  type Hash,
  RpcError,
  type SealedHeader,
} from "@plinth/core";
import type { clique } from "@plinth/plugin-consensus-clique/api";

/** What the handlers of this namespace receive. */
export type CliqueCall = Call<{ readonly clique: typeof clique }>;

/** The header that a caller names, by default the head; every tag but `earliest` is the head. */
export function getHeader(
  id: BlockNumberOrTag | Hash | undefined,
  { chain: { blocks }, compatibility: { mode } }: CliqueCall,
): SealedHeader {
  const header = find(id, blocks);
  if (header !== undefined) return header;
  if (mode === "besu") throw RpcError.internal();
  throw mode === "spec"
    ? new RpcError(-32000, "unknown block")
    : new RpcError(-39001, "Unknown block");
}

function find(
  id: BlockNumberOrTag | Hash | undefined,
  blocks: CliqueCall["chain"]["blocks"],
): SealedHeader | undefined {
  if (id === "earliest") return blocks.findHeader(0n);
  if (typeof id === "bigint") return id < 0n ? undefined : blocks.findHeader(id);
  return id?.startsWith("0x") ? blocks.findHeader(id as Hash) : blocks.head();
}
