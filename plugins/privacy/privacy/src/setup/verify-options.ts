import {
  type BlockReader,
  ConfigError,
  type Logger,
  type OptionValues,
  toOptionName,
} from "@plinth/core";
import type { options } from "./options.js";

/** Reads the value of an option of any plugin. */
type FindOption = (key: string) => unknown;

const SYNC_MODES: Readonly<Record<string, string>> = {
  FAST: "Fast sync",
  SNAP: "Snap sync",
  CHECKPOINT: "Checkpoint sync",
};
const API_OPTIONS = ["rpcHttp", "rpcWs"] as const;
const PRIVATE_APIS = ["EEA", "PRIV"];

/** Throws if options contradict private transactions; warns if they have no effect without them. */
export function verifyOptions(
  config: OptionValues<typeof options>,
  { find, log }: { readonly find: FindOption; readonly log: Pick<Logger, "warn"> },
): void {
  if (!config.privacyEnabled) {
    if (offersPrivateMethods(find)) {
      log.warn("Privacy is disabled. Cannot use EEA/PRIV API methods when not using Privacy.");
    }
    return;
  }
  const sync = SYNC_MODES[String(find("syncMode"))];
  if (sync !== undefined) throw refused("sync-mode", `${sync} cannot be enabled with privacy.`);
  const isFlat = find("dataStorageFormat") === "BONSAI";
  if (isFlat && find("rpcCompatibility") === "besu") {
    throw refused("data-storage-format", "Bonsai cannot be enabled with privacy.");
  }
  verifyNothingRemoved(find);
  verifyKeys(config, find);
  if (config.privacyFlexibleGroupsEnabled && config.privacyNonceAlwaysIncrements) {
    log.warn("--privacy-nonce-always-increments has no effect in flexible privacy groups.");
  }
}

/** Private transactions are found in old blocks and read old public states. */
function verifyNothingRemoved(find: FindOption): void {
  const snapshot = find("snapshot");
  if (Array.isArray(snapshot) && snapshot.length > 0) {
    throw refused(
      "snapshot",
      "--snapshot cannot be used with privacy: private transactions are found in old blocks and read old public states; synchronize the node in full",
    );
  }
  const history = find("history") ?? "all";
  if (history !== "all") {
    throw refused(
      "history",
      `--history=${history} cannot be used with privacy: private transactions read old public states; use --history=all`,
    );
  }
  const retained = find("blocksRetained") ?? "all";
  if (retained !== "all") {
    throw refused(
      "blocks-retained",
      `--blocks-retained=${retained} cannot be used with privacy: private transactions are found in old blocks; use --blocks-retained=all`,
    );
  }
  for (const key of ["bonsaiLimitTrieLogsEnabled", "XchainPruningEnabled"]) {
    const name = toOptionName(key);
    if (find(key) !== true) continue;
    throw refused(
      name,
      `--${name} cannot be used with privacy: private transactions need old blocks and states`,
    );
  }
}

/** Throws if the database no longer has all blocks and states: options may have removed some before. */
export function verifyWholeChain(
  blocks: Pick<BlockReader, "firstRetained" | "oldestStates">,
): void {
  const first = blocks.firstRetained();
  if (first > 0n) {
    throw refused(
      "privacy-enabled",
      `--privacy-enabled needs all blocks, and --blocks-retained has removed the bodies of those before block ${first}, or the node joined the chain there; synchronize again into another --data-path`,
    );
  }
  const { values } = blocks.oldestStates();
  if (values > 0n) {
    throw refused(
      "privacy-enabled",
      `--privacy-enabled needs all public states, and --history has removed those before block ${values}, or the node joined the chain there; synchronize again into another --data-path`,
    );
  }
}

function verifyKeys(config: OptionValues<typeof options>, find: FindOption): void {
  const { privacyPublicKeyFile: file, privacyMultiTenancyEnabled: hasTenants } = config;
  if (file !== undefined && hasTenants) {
    throw refused(
      "privacy-multi-tenancy-enabled",
      "Privacy multi-tenancy and privacy public key cannot be used together",
    );
  }
  if (file === undefined && !hasTenants) {
    throw refused(
      "privacy-public-key-file",
      "Please specify Enclave public key file path to enable privacy",
    );
  }
  const isGuarded =
    find("rpcHttpAuthenticationEnabled") === true || find("rpcWsAuthenticationEnabled") === true;
  if (hasTenants && !isGuarded) {
    throw refused(
      "privacy-multi-tenancy-enabled",
      "Privacy multi-tenancy requires either http authentication to be enabled or WebSocket authentication to be enabled",
    );
  }
}

function offersPrivateMethods(find: FindOption): boolean {
  return API_OPTIONS.some((name) => {
    const apis = find(`${name}Api`);
    const isEnabled = find(`${name}Enabled`) === true;
    const listed = Array.isArray(apis) ? apis.map((api) => String(api).toUpperCase()) : [];
    return isEnabled && listed.some((api) => PRIVATE_APIS.includes(api));
  });
}

function refused(option: string, message: string): ConfigError {
  return new ConfigError("PRIVACY_OPTIONS_INVALID", { message, option });
}
