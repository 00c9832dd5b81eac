import { ConfigError, type OptionValues } from "@plinth/core";
import {
  type Enode,
  formatEnode,
  InvalidEnode,
  type NodeId,
  parseEnode,
} from "@plinth/core/network";
import { serviceVariable } from "./nat.js";
import { parseNetworks } from "./net-restrict.js";
import type { options } from "./options.js";

/** The options as given. */
export type Devp2pConfig = OptionValues<typeof options>;

const NODE_ID = /^(?:0x)?([0-9a-f]{128})$/i;

/** The validated options. */
export interface Devp2pSettings {
  readonly config: Devp2pConfig;
  readonly bannedIds: ReadonlySet<NodeId>;
  /** Whether connections to an IP address are allowed. */
  isAllowed(host: string): boolean;
}

/** Validates combinations of options. */
export function readSettings(config: Devp2pConfig): Devp2pSettings {
  if (config.XdnsUpdateEnabled && !config.XdnsEnabled) {
    throw new ConfigError("OPTION_INVALID", {
      message: "The `--Xdns-update-enabled` requires dns to be enabled: add --Xdns-enabled",
      option: "Xdns-update-enabled",
    });
  }
  const variable = serviceVariable(config.XnatKubeServiceName, "SERVICE_HOST");
  const isMissing = config.natMethod === "KUBERNETES" && process.env[variable] === undefined;
  if (isMissing && !config.XnatMethodFallbackEnabled) {
    throw new ConfigError("NAT_UNSUPPORTED", {
      message: `--nat-method=KUBERNETES needs the variable ${variable} without --Xnat-method-fallback-enabled; start the pod after the service ${config.XnatKubeServiceName}, or name another one with --Xnat-kube-service-name`,
      option: "nat-method",
    });
  }
  const bannedIds = new Set(config.bannedNodeIds.filter((id) => id !== "").map(readBannedId));
  return { config, bannedIds, isAllowed: parseNetworks(config.netRestrict) };
}

/** The bootnodes of the operator, or of the genesis file; each must support discovery. */
export function readBootnodes(
  { config }: Devp2pSettings,
  isGiven: boolean,
  genesis: object,
): readonly Enode[] {
  const texts = (isGiven ? config.bootnodes : bootnodesOf(genesis)).filter((text) => text !== "");
  const enodes = texts.map((text) => readEnode(text, "bootnodes", config.XdnsEnabled));
  const silent = enodes.filter(({ udpPort }) => udpPort === 0);
  if (silent.length === 0) return enodes;
  throw new ConfigError("OPTION_INVALID", {
    message: `Bootnodes must have discovery enabled. Invalid bootnodes: ${silent.map(formatEnode).join(", ")}.`,
    option: "bootnodes",
  });
}

/** Parses an enode URL of a file or an option; errors name its source. */
export function readEnode(text: string, origin: string, allowsNames: boolean): Enode {
  try {
    return parseEnode(text, { allowsNames });
  } catch (error) {
    if (!(error instanceof InvalidEnode)) throw error;
    throw new ConfigError("OPTION_INVALID", {
      message: `${origin}: ${error.message}`,
      option: origin,
      value: text,
      cause: error,
    });
  }
}

function bootnodesOf(genesis: object): readonly string[] {
  const config = Object(Reflect.get(genesis, "config"));
  const { bootnodes } = Object(config.discovery);
  return Array.isArray(bootnodes) ? bootnodes.map(String) : [];
}

function readBannedId(text: string): NodeId {
  const digits = NODE_ID.exec(text)?.[1];
  if (digits !== undefined) return `0x${digits.toLowerCase()}`;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid ids supplied to '--banned-node-ids'. Expected 64 bytes in ${text}`,
    option: "banned-node-ids",
    value: text,
  });
}
