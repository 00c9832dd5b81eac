import { ConfigError } from "@plinth/core";
import { type PrivateRules, UNLIMITED_GAS } from "../execution/run-private-transaction.js";

/**
 * The rules of private execution: from the genesis file, and from options on which members agree.
 */
export function readRules(
  genesis: object,
  options: {
    readonly privacyNonceAlwaysIncrements: boolean;
    readonly privacyGasCap: bigint | undefined;
    readonly privacyFlexibleGroupsEnabled: boolean;
  },
): PrivateRules {
  const config = Object(Reflect.get(genesis, "config"));
  const { nestedFailures } = Object(config.privacy);
  if (nestedFailures !== undefined && nestedFailures !== "ordinary") {
    throw new ConfigError("GENESIS_INVALID", {
      message: `genesis.config.privacy.nestedFailures: ${JSON.stringify(nestedFailures)}, expected "ordinary" or nothing`,
    });
  }
  const isFlexible = options.privacyFlexibleGroupsEnabled;
  return {
    // Besu does not do this in flexible groups.
    nonceAlwaysIncrements: options.privacyNonceAlwaysIncrements && !isFlexible,
    gasLimit: options.privacyGasCap ?? UNLIMITED_GAS,
    nestsFrames: nestedFailures === "ordinary",
    isFlexible,
  };
}
