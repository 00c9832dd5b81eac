import { type Address, ConfigError } from "@plinth/core";

/** Where the contract of a rule is; `undefined` when the rule is off. Throws when it is on and has no address. */
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
