import { command, option } from "@plinth/core";
import { chooseForNode } from "../loading/load-program.js";
import type { KnownProgram } from "../program.js";

/** `plinth plugins order`: the order of plugins, which of them a node loads, and why. */
export function pluginsOrder(program: KnownProgram) {
  return command({
    id: "plugins order",
    summary: "Lists the plugins in start order, which of them a node loads, and why.",
    examples: ["plinth plugins order", "plinth --config-file=node.toml plugins order"],
    flags: { json: option.flag({ summary: "Prints a JSON list instead of the table." }) },
    uses: {},
    async run({ flags, io }) {
      const choice = await chooseForNode(program);
      if (flags.json) {
        const plugins = program.resolved.ordered.map(({ plugin: { name }, after }) => {
          const reason = choice.get(name);
          return { name, loaded: reason !== undefined, reason, after };
        });
        await io.write(JSON.stringify(plugins));
        return;
      }
      const lines = program.resolved.ordered.map(({ plugin, after }, index) => {
        const reason = choice.get(plugin.name);
        const state = (reason === undefined ? "not loaded" : "loaded").padEnd(10);
        const places = after.map(({ plugin: name, service }) => `after ${name}, uses ${service}`);
        const why = [...(reason === undefined ? [] : [reason]), ...places].join("; ");
        const line = `${String(index + 1).padStart(3)}  ${plugin.name.padEnd(24)}  ${state}  ${why}`;
        return line.trimEnd();
      });
      await io.write(lines.join("\n"));
    },
  });
}
