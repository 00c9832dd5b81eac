import { command, option } from "@plinth/core";
import type { LoadedProgram } from "../loading/load-program.js";

/** The flags of the command. */
export const flags = {
  to: option.path({ summary: "Folder for the files; it must be empty or missing." }),
  configFile: option.path({ summary: "TOML file of the Besu node, where the folder has several." }),
  genesisFile: option.path({ summary: "Its genesis file, where the folder has several or none." }),
  nodePrivateKeyFile: option.path({ summary: "Its key, where the folder has several or none." }),
};

/** `migrate besu`: the configuration of a node that takes the place of a Besu node. */
export function migrateBesu(loaded: () => LoadedProgram) {
  return command({
    id: "migrate besu",
    summary:
      "Makes a configuration from the files of a Besu node, and reports what has no counterpart; changes nothing there.",
    examples: [
      "plinth migrate besu /opt/besu --to=/var/lib/plinth",
      "plinth migrate besu besu-node --to=plinth-node --genesis-file=genesis.json",
    ],
    flags,
    args: { placeholder: "DIR", summary: "Folder of the Besu node.", min: 1, max: 1 },
    uses: { genesis: true },
    async run(context) {
      const { migrate } = await import("../besu/migrate/migrate.js");
      await migrate(context, loaded().prepared.schema);
    },
  });
}
