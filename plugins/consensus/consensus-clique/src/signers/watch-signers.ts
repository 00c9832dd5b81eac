import type { HeadChanged, Runtime, SealedHeader } from "@plinth/core";
import type { Clique } from "../api.js";
import { describeSigners } from "./describe-signers.js";
import type { SignerWatch } from "./signer-watch.js";

/** Number of blocks before the start that are read to find active signers. */
const PAST_BLOCKS = 64n;

/** Logs the signers at the start, and reads the latest blocks. */
export function beginWatch(
  watch: SignerWatch,
  clique: Clique,
  { chain, nodeKey, log }: Runtime,
): void {
  const { blocks } = chain;
  const head = blocks.head();
  for (let number = firstOf(head); number <= head.number; number++) {
    const header = blocks.findHeader(number);
    if (header !== undefined) note(watch, header, clique);
  }
  const { members } = clique.after(head);
  watch.keep(members);
  log.info(describeSigners(members, nodeKey?.address));
}

/** Records the blocks that joined the canonical chain. */
export function followHead(watch: SignerWatch, clique: Clique, { added, head }: HeadChanged): void {
  for (const { header } of added) note(watch, header, clique);
  watch.keep(clique.after(head).members);
}

function note(watch: SignerWatch, header: SealedHeader, clique: Clique): void {
  const isSigned = header.number > 0n && header.difficulty > 0n;
  if (!isSigned) return;
  watch.joined(header, { signer: clique.signerOf(header), inTurn: clique.inTurnSignerOf(header) });
}

function firstOf({ number }: SealedHeader): bigint {
  return number > PAST_BLOCKS ? number - PAST_BLOCKS : 1n;
}
