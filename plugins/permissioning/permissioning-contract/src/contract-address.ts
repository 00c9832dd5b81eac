import { type Address, ConfigError } from "@plinth/core";

/**
 * The contract address of a rule; `undefined` if the rule is off. Throws if it is on without an
 * address.
 */
export function contractAddress(
  kind: "account" | "node",
  isEnabled: boolean,
  address: Address | undefined,
): Address | undefined {
  if (!isEnabled) return undefined;
  if (address !== undefined) return address;
  throw new ConfigError("OPTION_INVALID", {
    message: `No ${kind} permissioning contract address specified. Cannot enable smart contract based ${kind} permissioning.`,
    option: `permissions-${kind}s-contract-address`,
  });
}
