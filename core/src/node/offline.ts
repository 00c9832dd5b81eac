import type { AnyCommand, CommandContext, CommandIo } from "../cli/command.js";
import type { Logger } from "../kernel/log.js";
import type { Options, OptionValues } from "../kernel/options.js";
import type { Node } from "./node.js";
import { coreOptions } from "./options.js";

/** Runs a sub-command on a registered node: nothing is opened but what it asks for. */
export async function runCommand(
  node: Node,
  command: AnyCommand,
  { flags, io, log }: { flags: OptionValues<Options>; io: CommandIo; log: Logger },
): Promise<void> {
  const { config } = node.prepared;
  const { dataPath } = config.valuesOf(coreOptions);
  const context: CommandContext<Options> = {
    flags,
    io,
    log,
    dataPath,
    contributions: (point) => node.contributions(point),
    driver: (point) => node.driver(point, String(config.get(toKey(point.option)))),
  };
  await node.beforeCommand.call({ id: command.id, flags });
  await command.run(context);
}

/** `security-module` → `securityModule`. */
function toKey(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
