import type { Interfaces } from "@oclif/core";
import { Help } from "@oclif/core/help";
import { toOclifId } from "./oclif-id.js";

/** Writes oclif's help of a command or of a topic. */
export async function showHelp(config: Interfaces.Config, id: string): Promise<void> {
  await new Help(config, config.pjson.oclif.helpOptions).showHelp([toOclifId(id)]);
}
