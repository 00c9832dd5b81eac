import { command, messageOf } from "@plinth/core";
import { describePlugin } from "../describe-plugin.js";
import type { PluginCommandSettings } from "./plugin-command-settings.js";

/** `plinth plugins list`: what is installed, and what each adds. */
export function pluginsList({ installed }: PluginCommandSettings) {
  return command({
    id: "plugins list",
    summary: "Lists the installed plugins, and what each adds to a node that loads it.",
    examples: ["plinth plugins list"],
    flags: {},
    uses: {},
    async run({ io }) {
      const names = Object.keys(await installed.packages());
      if (names.length === 0) return io.write(`No plugin is installed in ${installed.home}.`);
      for (const name of names) {
        const adds = await describe(name);
        const version = await installed.versionOf(name);
        await io.write([`${name} ${version}`, ...adds.map((line) => `  ${line}`)].join("\n"));
      }
    },
  });

  async function describe(name: string): Promise<readonly string[]> {
    try {
      const { plugin } = await installed.load(name);
      return await describePlugin(plugin);
    } catch (error) {
      // One that cannot be loaded any more is listed all the same: it can be updated or removed.
      return [messageOf(error)];
    }
  }
}
