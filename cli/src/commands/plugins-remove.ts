import { command } from "@plinth/core";
import type { PluginCommandSettings } from "./plugin-command-settings.js";

/** `plinth plugins remove`: deletes an installed package. */
export function pluginsRemove({ installed }: PluginCommandSettings) {
  return command({
    id: "plugins remove",
    summary: "Removes an installed plugin.",
    examples: ["plinth plugins remove @example/plinth-plugin-chainstats"],
    flags: {},
    args: { placeholder: "NAME", summary: "The name of the package.", min: 1, max: 1 },
    uses: {},
    async run({ args: [name = ""], io }) {
      await installed.verify(name);
      await installed.remove(name);
      await io.write(`Removed ${name}. Take it out of the configuration files that name it.`);
    },
  });
}
