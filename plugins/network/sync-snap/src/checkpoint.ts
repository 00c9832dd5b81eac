import { ConfigError, type Hash } from "@plinth/core";
import type { RequiredBlock } from "@plinth/core/chain";

/** The checkpoint of a genesis file; throws `ConfigError` if it has none. */
export function readCheckpoint(genesis: object): RequiredBlock {
  const { config } = genesis as { readonly config?: { readonly checkpoint?: unknown } };
  const { number, hash } = Object(config?.checkpoint);
  const isNumber = Number.isSafeInteger(number) && number > 0;
  if (isNumber && typeof hash === "string" && /^0x[0-9a-f]{64}$/i.test(hash)) {
    return {
      number: BigInt(number),
      hash: hash.toLowerCase() as Hash,
      setting: "config.checkpoint of the genesis file",
    };
  }
  throw new ConfigError("CHECKPOINT_INVALID", {
    message:
      "--sync-mode=CHECKPOINT needs config.checkpoint in the genesis file, with the number of a block after block 0 and its hash; use SNAP without one",
    option: "sync-mode",
  });
}
