import { Configuration } from "@plinth/core/kernel";
import { configureNode, type PreparedNode } from "@plinth/node";
import type { ManifestUses } from "@plinth/node/manifest";
import { type KnownProgram, resolveProgram } from "../program.js";
import { type Choice, choosePlugins, findRuled, type Purpose } from "./choose-plugins.js";
import { GenesisFile } from "./genesis-names.js";
import { loadKnown, nameOf } from "./known-plugin.js";

/** A program with the plugins that it needs. */
export interface LoadedProgram {
  readonly prepared: PreparedNode;
  /** The modules of loaded plugins, by name. */
  readonly modules: ReadonlyMap<string, string>;
  readonly genesis: GenesisFile;
}

/** The requirements of a command. */
export interface CommandNeeds {
  /** The plugin of the command; `undefined` for one of the program. */
  readonly plugin?: string;
  /** Everything when `undefined`. */
  readonly uses: ManifestUses | undefined;
  /** Whether it reads the values of all options with full validation. */
  readonly hasAllRules?: boolean;
}

/** Loads the plugins that a node of this configuration needs. */
export async function loadNode(program: KnownProgram): Promise<LoadedProgram> {
  const config = readConfig(program);
  const genesis = new GenesisFile(config);
  return load(program, config, genesis, { kind: "node", genesis: await genesis.names() });
}

/** Loads the plugins that a command needs. */
export async function loadCommand(
  program: KnownProgram,
  { plugin, uses, hasAllRules = false }: CommandNeeds,
): Promise<LoadedProgram> {
  const config = readConfig(program);
  const genesis = new GenesisFile(config);
  const names = uses?.chain === true ? await genesis.names() : undefined;
  const command = { kind: "command", plugin, uses, hasAllRules, genesis: names } as const;
  return load(program, config, genesis, command);
}

/** The plugins that a node of this configuration would load, each with the reason. */
export async function chooseForNode(program: KnownProgram): Promise<Choice> {
  const config = readConfig(program);
  const genesis = await new GenesisFile(config).names();
  const { schema } = program.resolved;
  return choosePlugins(program.known, { config, schema }, { kind: "node", genesis });
}

function readConfig({ resolved, layers }: KnownProgram): Configuration {
  return new Configuration(resolved.schema, layers);
}

async function load(
  { known, layers, resolved }: KnownProgram,
  config: Configuration,
  genesis: GenesisFile,
  purpose: Purpose,
): Promise<LoadedProgram> {
  const choice = choosePlugins(known, { config, schema: resolved.schema }, purpose);
  const loaded = await Promise.all(
    known.map((each) => (choice.has(nameOf(each)) ? loadKnown(each) : each)),
  );
  // Manifests are sufficient for all other options.
  const isRuled = known.some((each) => findRuled(each, config, purpose) !== undefined);
  const prepared = isRuled
    ? configureNode(resolveProgram(loaded), layers)
    : { ...resolved, config };
  const plugins = new Map(loaded.map(({ plugin }) => [plugin?.name, plugin]));
  return {
    prepared: {
      ...prepared,
      ordered: prepared.ordered.flatMap(({ plugin: { name }, after }) => {
        const plugin = plugins.get(name);
        return plugin === undefined ? [] : [{ plugin, after }];
      }),
      unloaded: known.flatMap(({ manifest }) =>
        manifest === undefined || choice.has(manifest.name) ? [] : [manifest],
      ),
    },
    modules: new Map(
      loaded.flatMap(({ plugin, url }) => (plugin === undefined ? [] : [[plugin.name, url]])),
    ),
    genesis,
  };
}
