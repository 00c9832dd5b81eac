import { ConfigError } from "@plinth/core";
import { type AllocInFile, namedNetworks, overrideConfig } from "@plinth/core/genesis";
import type { Configuration, Contributions } from "@plinth/core/kernel";
import { coreOptions } from "../plugin/options.js";
import { type GenesisContent, readGenesisFile } from "./genesis-file.js";
import type { ScannedGenesis } from "./scanned-genesis.js";

/** The JSON of a genesis file, and its origin. */
export interface FoundGenesis {
  readonly json: unknown;
  /** The accounts of a large file, which are not in `json`. */
  readonly alloc?: AllocInFile | undefined;
  /** Of a large file, to be recorded for later starts. */
  readonly scan?: ScannedGenesis;
  /** Its name in messages. */
  readonly origin: string;
  /** Of a named network. */
  readonly networkId: bigint | undefined;
}

/** Finds the genesis file: passed in, given by path, or of a named network. */
export async function findGenesis(settings: GenesisSources): Promise<FoundGenesis> {
  const found = await findUnchanged(settings);
  const { overrideGenesisConfig } = settings.config.valuesOf(coreOptions);
  return { ...found, json: overrideConfig(found.json, overrideGenesisConfig) };
}

/** The content of a previously read genesis file; `undefined` for another one. */
export type ParsedGenesis = (path: string) => GenesisContent | undefined;

/** The sources of a genesis file. */
interface GenesisSources {
  readonly config: Configuration;
  readonly contributions: Contributions;
  readonly genesis: unknown;
  readonly parsedGenesis?: ParsedGenesis | undefined;
}

async function findUnchanged(settings: GenesisSources): Promise<FoundGenesis> {
  const { config, contributions, genesis, parsedGenesis } = settings;
  if (genesis !== undefined) return { json: genesis, origin: "genesis", networkId: undefined };
  const { genesisFile, network, dataPath } = config.valuesOf(coreOptions);
  if (genesisFile !== undefined && network !== undefined) throw bothNamed();
  if (network !== undefined) return findNetwork(network, contributions);
  if (genesisFile !== undefined) {
    return {
      ...(parsedGenesis?.(genesisFile) ?? (await readGenesisFile(genesisFile, { dataPath }))),
      origin: genesisFile,
      networkId: undefined,
    };
  }
  throw new ConfigError("GENESIS_MISSING", {
    message:
      "No network is selected: use --genesis-file=<PATH> for an existing one, or --profile=dev for a development chain",
  });
}

function findNetwork(given: string, contributions: Contributions): FoundGenesis {
  const known = contributions.list(namedNetworks);
  const found = known.find(({ name }) => name === given.toLowerCase());
  if (found !== undefined) {
    const { name, networkId } = found;
    return { json: found.readGenesis(), origin: `network ${name}`, networkId };
  }
  const names = known.map(({ name }) => name).join(", ");
  throw new ConfigError("NETWORK_UNKNOWN", {
    message: `Invalid value for option '--network': loaded plugins know ${names === "" ? "no network by name" : names}, not '${given}'`,
    option: "network",
    value: given,
  });
}

function bothNamed(): ConfigError {
  return new ConfigError("OPTION_INVALID", {
    message:
      "--network option and --genesis-file option can't be used at the same time. Please refer to CLI reference for more details about this constraint.",
    option: "network",
  });
}
