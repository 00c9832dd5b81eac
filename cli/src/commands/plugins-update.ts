import { command } from "@plinth/core";
import { describePlugin } from "../describe-plugin.js";
import type { PluginCommandSettings } from "./plugin-command-settings.js";

/** `plinth plugins update`: newer versions of what is installed. */
export function pluginsUpdate({ installed }: PluginCommandSettings) {
  return command({
    id: "plugins update",
    summary:
      "Installs the newest version of a plugin, or of all, and lists what it adds; one from a folder or tarball is read from there again.",
    examples: ["plinth plugins update", "plinth plugins update @example/plinth-plugin-chainstats"],
    flags: {},
    args: {
      placeholder: "NAME",
      summary: "The name of the package; all when left out.",
      min: 0,
      max: 1,
    },
    uses: {},
    async run({ args: [name], io }) {
      if (name !== undefined) await installed.verify(name);
      const names = name === undefined ? Object.keys(await installed.packages()) : [name];
      for (const each of names) {
        const before = await installed.versionOf(each);
        await installed.update(each);
        const after = await installed.versionOf(each);
        const { plugin } = await installed.load(each);
        const adds = await describePlugin(plugin);
        const change = before === after ? `is still ${after}` : `${before} is now ${after}`;
        await io.write(
          [`${each} ${change}. It adds`, ...adds.map((line) => `  ${line}`)].join("\n"),
        );
      }
    },
  });
}
