import type { SealedHeader } from "@plinth/core";
import { JoinRefused, type OfferedChain } from "@plinth/core/chain";
import type { ChainStore } from "../store/chain-store.js";

/** Throws `JoinRefused` if a header is at the place of the required block, and is another one. */
export function verifyRequired({ number, hash }: SealedHeader, { required }: OfferedChain): void {
  if (number !== required?.number || hash === required.hash) return;
  throw new JoinRefused(
    `block ${number} is ${hash}, but ${required.setting} demands ${required.hash}`,
  );
}

/** Throws `JoinRefused` unless headers that are written have the required block. */
export function verifyRequiredIn(chain: ChainStore, offered: OfferedChain): void {
  const { required, block } = offered;
  if (required === undefined) return;
  if (required.number > block.number) {
    throw new JoinRefused(
      `it ends with block ${block.number}, before block ${required.number} that ${required.setting} demands`,
    );
  }
  verifyRequired(chain.headerAt(required.number), offered);
}
