import { ConfigError, systemClock } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { silentLogs } from "@plinth/core/kernel";
import { Node } from "@plinth/node";
import { type ManifestCommand, type ManifestUses, optionOf } from "@plinth/node/manifest";
import { type KnownCommand, type LoadedCommand, toKnown } from "../known-command.js";
import type { KnownProgram } from "../program.js";
import { loadCommand } from "./load-program.js";

/** The commands of all plugins: from manifests, and of plugins without one. */
export async function listCommands(program: KnownProgram): Promise<readonly KnownCommand[]> {
  const described = program.known.flatMap(({ manifest }) =>
    (manifest?.commands ?? []).map((command) => ({ plugin: manifest?.name ?? "", command })),
  );
  const isRewritten = program.known.some(({ manifest }) => manifest?.hooks.includes("cli.command"));
  const isUnknown = program.known.some(({ manifest }) => manifest === undefined);
  if (!isRewritten && !isUnknown) {
    return described.map(({ plugin, command }) =>
      fromManifest(program, plugin, command, listed(command)),
    );
  }
  const node = await registerFor(program, { uses: { chain: false, genesis: false, points: [] } });
  const names = new Set(described.map(({ plugin }) => plugin));
  return [
    ...described.map(({ plugin, command }) => {
      const rewritten = node.hooks.cli.command.call(listed(command), { plugin });
      return fromManifest(program, plugin, command, rewritten);
    }),
    ...node
      .commands()
      .filter(({ plugin }) => !names.has(plugin))
      .map(({ plugin, item }) =>
        toKnown(item, plugin, () => loadListed(program, { plugin, uses: undefined, id: item.id })),
      ),
  ];
}

/** Sets up the plugins that a command needs. */
async function registerFor(
  program: KnownProgram,
  needs: Parameters<typeof loadCommand>[1],
): Promise<Node> {
  const { prepared, genesis } = await loadCommand(program, needs);
  return Node.register(prepared, {
    logs: silentLogs,
    clock: systemClock,
    parsedGenesis: (path) => genesis.take(path),
  });
}

/** Sets up the plugins that a listed command needs, and finds the command among theirs. */
async function loadListed(
  program: KnownProgram,
  listed: { readonly plugin: string; readonly uses: ManifestUses | undefined; readonly id: string },
): Promise<LoadedCommand> {
  const node = await registerFor(program, listed);
  const command = node.commands().find(({ item }) => item.id === listed.id)?.item;
  if (command === undefined) throw withoutCommand(listed.plugin, listed.id);
  return { command, node };
}

/** A command that is not loaded. */
function listed({ id, summary, examples, flags, args }: ManifestCommand): AnyCommand {
  return {
    id,
    summary,
    examples,
    get flags() {
      return Object.fromEntries(Object.entries(flags).map(([key, form]) => [key, optionOf(form)]));
    },
    ...(args === undefined ? {} : { args }),
    async run(): Promise<void> {
      throw new TypeError(`the command ${id} is not loaded`);
    },
  };
}

function fromManifest(
  program: KnownProgram,
  plugin: string,
  { uses }: ManifestCommand,
  shown: AnyCommand,
): KnownCommand {
  return toKnown(shown, plugin, () => loadListed(program, { plugin, uses, id: shown.id }));
}

function withoutCommand(plugin: string, id: string): ConfigError {
  return new ConfigError("MANIFEST_STALE", {
    message: `the manifest of plugin "${plugin}" does not match it: it has no command "${id}"; rebuild the plugin, which writes its manifest`,
    plugin,
  });
}
