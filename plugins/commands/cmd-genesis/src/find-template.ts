import { ConfigError } from "@plinth/core";
import type { GenesisTemplate } from "@plinth/core/consensus";

/** The template of an engine; throws if no loaded plugin has one. */
export function findTemplate(
  engine: string,
  templates: readonly GenesisTemplate[],
): GenesisTemplate {
  const found = templates.find((each) => each.engine === engine.toLowerCase());
  if (found !== undefined) return found;
  const known = templates.map((each) => each.engine).join(", ");
  throw new ConfigError("ENGINE_UNKNOWN", {
    message: `Invalid value for option '--engine': loaded plugins support networks with ${known === "" ? "no engine" : known}, not '${engine}'`,
    named: [engine],
  });
}
