import { isIP } from "node:net";
import { ConfigError, type OptionValues, toOptionName } from "@plinth/core";
import type { options } from "./options.js";

type Values = OptionValues<typeof options>;

/** Throws, before anything is opened, if a node that signs for its callers would be reachable from elsewhere. */
export function verifyOptions(values: Values): void {
  const { devUnlockedAccounts, devAutoImpersonate } = values;
  if (!devUnlockedAccounts && !devAutoImpersonate) return;
  for (const key of ["rpcHttpHost", "rpcWsHost"] as const) verifyLoopback(key, values[key]);
}

function verifyLoopback(key: string, host: string): void {
  const isLoopback =
    host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
  if (isLoopback) return;
  const name = toOptionName(key);
  throw new ConfigError("UNLOCKED_EXPOSED", {
    message: `--${name}=${host}: a node that signs for its callers listens on loopback only, such as 127.0.0.1; --dev-unlocked-accounts=false locks its accounts, without --dev-auto-impersonate`,
    option: name,
    value: host,
  });
}
