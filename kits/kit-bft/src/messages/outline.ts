import type { Block } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { type BlockOutline, NO_BODY, readBlock } from "../blocks/read-block.js";
import type { BftMessage } from "./messages.js";

/** A message whose block, if it has one, has no body yet. */
export interface Outline<M extends BftMessage = BftMessage> {
  readonly message: M;
  readonly block: BlockOutline | undefined;
}

/** The header as a block, until its body is decoded. */
export function withoutBody({ header }: BlockOutline): Block {
  return { header, body: NO_BODY };
}

/** The message of an outline; throws `RlpError` if the body of its block cannot be decoded. */
export function* readWhole<M extends BftMessage>({ message, block }: Outline<M>): Steps<M> {
  return block === undefined ? message : { ...message, block: yield* readBlock(block) };
}
