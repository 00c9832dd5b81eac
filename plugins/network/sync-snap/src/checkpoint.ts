import { ConfigError, type Hash, type SealedHeader } from "@plinth/core";
import { JoinRefused } from "@plinth/core/chain";

/** A block that the chain must have. */
export interface Checkpoint {
  readonly number: bigint;
  readonly hash: Hash;
}

/** The checkpoint of a genesis file; throws `ConfigError` if it has none. */
export function readCheckpoint(genesis: object): Checkpoint {
  const { config } = genesis as { readonly config?: { readonly checkpoint?: unknown } };
  const { number, hash } = Object(config?.checkpoint);
  const isNumber = Number.isSafeInteger(number) && number > 0;
  if (isNumber && typeof hash === "string" && /^0x[0-9a-f]{64}$/i.test(hash)) {
    return { number: BigInt(number), hash: hash.toLowerCase() as Hash };
  }
  throw new ConfigError("CHECKPOINT_INVALID", {
    message:
      "--sync-mode=CHECKPOINT needs config.checkpoint in the genesis file, with the number of a block after block 0 and its hash; use SNAP without one",
    option: "sync-mode",
  });
}

/** Throws `JoinRefused` if a header is at the place of the checkpoint and not the checkpoint. */
export function verifyCheckpoint(
  { number, hash }: SealedHeader,
  checkpoint: Checkpoint | undefined,
): void {
  if (number !== checkpoint?.number || hash === checkpoint.hash) return;
  throw new JoinRefused(
    `block ${number} is ${hash}, but config.checkpoint of the genesis file demands ${checkpoint.hash}`,
  );
}
