import { command, type ResolvedPlugins } from "@plinth/core";

/** `plinth plugins order`: which plugins, in which order, and why. */
export function pluginsOrder({ ordered }: ResolvedPlugins) {
  return command({
    id: "plugins order",
    summary: "Lists the plugins in the order they start in, and why.",
    examples: ["plinth plugins order"],
    flags: {},
    async run({ io }) {
      const lines = ordered.map(({ plugin, after }, index) => {
        const reasons = after.map(({ plugin: name, service }) => `after ${name}, uses ${service}`);
        const reason = reasons.length === 0 ? "as configured" : reasons.join("; ");
        return `${String(index + 1).padStart(3)}  ${plugin.name.padEnd(24)}  ${reason}`;
      });
      await io.write(lines.join("\n"));
    },
  });
}
