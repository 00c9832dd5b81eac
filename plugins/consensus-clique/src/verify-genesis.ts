import { ConfigError, type Logger } from "@plinth/core";

const LEAST_DIGITS = 2 * (32 + 65);
const DIGITS_PER_SIGNER = 40;

/** Refuses a genesis file whose extra data has no room for signers; warns when it lists none. */
export function verifyGenesis(genesis: object, log: Logger): void {
  const [, value] =
    Object.entries(genesis).find(([key]) => key.toLowerCase() === "extradata") ?? [];
  const digits = typeof value === "string" ? value.replace(/^0x/i, "") : "";
  const listed = digits.length - LEAST_DIGITS;
  if (listed < 0 || listed % DIGITS_PER_SIGNER !== 0) {
    throw new ConfigError("GENESIS_INVALID", {
      message: `extraData of the genesis file has ${digits.length / 2} bytes; a Clique chain expects 32 of vanity, 20 for each signer and 65 zero bytes`,
      key: "extraData",
    });
  }
  if (listed === 0) log.warn("the genesis file lists no signers: no block can be made");
}
