import { currentProgram } from "./current-program.js";
import { mountCommand } from "./mount-command.js";

const { commands, ...surroundings } = currentProgram();

/** What oclif finds: every sub-command of the loaded plugins, by its id. */
export const COMMANDS = Object.fromEntries(
  commands.map((command) => [command.id.replaceAll(" ", ":"), mountCommand(command, surroundings)]),
);
