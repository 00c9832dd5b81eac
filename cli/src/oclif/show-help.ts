import type { Interfaces } from "@oclif/core";
import { toOclifId } from "./oclif-id.js";

/** Writes oclif's help of a command or of a topic. */
export async function showHelp(config: Interfaces.Config, id: string): Promise<void> {
  const { Help } = await import("@oclif/core/help");
  await new Help(config, config.pjson.oclif.helpOptions).showHelp([toOclifId(id)]);
}
