import { ConfigError, type Logger, messageOf, parseHex, RlpError } from "@plinth/core";
import type { BftExtraDataCodec } from "./extra-data.js";

/** What the genesis block of an engine is read with. */
export interface GenesisRules {
  readonly codec: BftExtraDataCodec;
  /** Whether a contract names the validators of block 1. */
  readonly isContract: boolean;
  readonly log: Pick<Logger, "warn">;
}

/** Refuses a genesis file whose extra data cannot be read; warns when its validators are too few or without effect. */
export function verifyGenesis(genesis: object, { codec, isContract, log }: GenesisRules): void {
  const [, value] =
    Object.entries(genesis).find(([key]) => key.toLowerCase() === "extradata") ?? [];
  const count = countValidators(value, codec);
  if (isContract && count > 0) {
    log.warn(
      `the genesis file lists ${count} validators, and a contract names them: the list is ignored`,
    );
  }
  if (!isContract && count === 0) {
    log.warn("the genesis file lists no validators: no block can be made");
  }
}

function countValidators(extraData: unknown, codec: BftExtraDataCodec): number {
  const bytes = typeof extraData === "string" ? parseHex(extraData) : undefined;
  try {
    return codec.decodeValidators(bytes ?? new Uint8Array()).length;
  } catch (error) {
    if (!(error instanceof RlpError)) throw error;
    throw new ConfigError("GENESIS_INVALID", {
      message: `extraData of the genesis file is not that of a BFT chain: ${messageOf(error)}; \`plinth rlp encode --type=${codec.type}\` makes it from a list of validators`,
      key: "extraData",
      cause: error,
    });
  }
}
