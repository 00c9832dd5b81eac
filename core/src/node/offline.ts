import type { AnyCommand, CommandContext, CommandIo } from "../cli/command.js";
import type { Logger } from "../kernel/log.js";
import type { Options, OptionValues } from "../kernel/options.js";
import type { Node } from "./node.js";
import { coreOptions } from "./options.js";

/** Runs a sub-command on a registered node: nothing is opened but what it asks for. */
export async function runCommand(
  node: Node,
  command: AnyCommand,
  input: {
    readonly flags: OptionValues<Options>;
    readonly args: readonly string[];
    readonly io: CommandIo;
    readonly log: Logger;
  },
): Promise<void> {
  const { config } = node.prepared;
  const { dataPath } = config.valuesOf(coreOptions);
  const context: CommandContext<Options> = {
    ...input,
    dataPath,
    contributions: (point) => node.contributions(point),
    driver: (point) => node.driver(point, String(config.get(toKey(point.option)))),
  };
  await node.beforeCommand.call({ id: command.id, flags: input.flags });
  await command.run(context);
}

/** `security-module` → `securityModule`. */
function toKey(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
