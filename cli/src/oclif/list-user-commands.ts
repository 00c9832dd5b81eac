import type { ListedCommand } from "../help/listed-command.js";
import { fromOclifId } from "./oclif-id.js";
import { isOclifPlugin, listUserPackages } from "./user-packages.js";

/**
 * The commands of installed oclif plugins, for the list of all; oclif is imported if there are any.
 */
export async function listUserCommands(
  home: string,
  warn: (message: string) => void,
): Promise<readonly ListedCommand[]> {
  if (!mayHavePlugins(home)) return [];
  const { loadUserPlugins } = await import("./user-plugins.js");
  const plugins = await loadUserPlugins(home, { warn, all: false });
  return plugins
    .flatMap(({ commands }) => commands)
    .filter(({ hidden }) => hidden !== true)
    .map(({ id, summary, description = "" }) => ({
      id: fromOclifId(id),
      summary:
        (summary ?? description).split("\n")[0]?.replaceAll(/<%[=-] *config\.bin *%>/g, "plinth") ??
        "",
    }));
}

/** An unreadable one is reported when it is loaded. */
function mayHavePlugins(home: string): boolean {
  try {
    return listUserPackages(home).some((each) => isOclifPlugin(home, each));
  } catch {
    return true;
  }
}
