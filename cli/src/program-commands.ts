import { InvariantError, systemClock } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { type DeclaredOption, type OptionSchema, silentLogs } from "@plinth/core/kernel";
import { configureNode, Node } from "@plinth/node";
import { BESU } from "./besu/declare.js";
import { configCommand } from "./commands/config.js";
import { generateCompletion } from "./commands/generate-completion.js";
import { migrateBesu } from "./commands/migrate-besu.js";
import { pluginsManifest } from "./commands/plugins-manifest.js";
import { pluginsOrder } from "./commands/plugins-order.js";
import { validateConfig } from "./commands/validate-config.js";
import { type KnownCommand, toKnown } from "./known-command.js";
import { type LoadedProgram, loadCommand } from "./loading/load-program.js";
import type { PluginCommandSettings } from "./oclif/plugin-commands.js";
import { pluginHome } from "./plugin-home.js";
import { PROFILE_COMMANDS, toKnownProfile } from "./profile-command.js";
import { type KnownProgram, PROGRAM, type ProgramContext } from "./program.js";

/** The commands of the program itself; `others` lists those of plugins. */
export function programCommands(
  program: KnownProgram,
  programContext: ProgramContext,
  others: () => readonly KnownCommand[],
): readonly KnownCommand[] {
  const { schema } = program.resolved;
  let current: LoadedProgram | undefined;
  const loaded = (): LoadedProgram => {
    if (current === undefined) throw new InvariantError("a command runs before it is loaded");
    return current;
  };
  const known = (command: AnyCommand, hasAllRules = false): KnownCommand =>
    toKnown(command, PROGRAM, async () => {
      const { chain = false, genesis = false } = command.uses ?? {};
      const uses = { chain, genesis, points: [] };
      current = await loadCommand(program, { uses, hasAllRules });
      // A configuration that plugins reject can still be shown.
      const prepared = { ...current.prepared, ...configureNode(current.prepared, []) };
      const node = await Node.register(prepared, { logs: silentLogs, clock: systemClock });
      return { command, node };
    });
  const commands = [
    known(pluginsOrder(program)),
    known(pluginsManifest(programContext.workingFolder)),
    known(configCommand(loaded)),
    known(validateConfig(loaded, programContext), true),
    known(migrateBesu(loaded, programContext), true),
  ];
  const all: readonly KnownCommand[] = [
    ...commands,
    known(
      generateCompletion({
        options: completedOptions(schema),
        commands: () => [...others(), ...all],
        pluginCommands: pluginSettings(programContext),
      }),
    ),
    ...PROFILE_COMMANDS.map((command) =>
      toKnownProfile(command, PROGRAM, (name) => schema.find(name)?.option),
    ),
  ];
  return all;
}

/** The context of the commands about installed plugins. */
export function pluginSettings({
  environment,
  workingFolder,
}: ProgramContext): PluginCommandSettings {
  return { home: pluginHome(environment), workingFolder };
}

/** Besu options without effect are not completed. */
export function completedOptions(schema: OptionSchema): readonly DeclaredOption[] {
  return schema.all().filter(({ owner }) => owner !== BESU);
}
