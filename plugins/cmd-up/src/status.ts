import { command, genesisTemplates } from "@plinth/core";
import { folderFlag } from "./flags.js";
import { openFolder } from "./folder.js";
import { findRunning } from "./nodes.js";
import { formatTable } from "./table.js";
import { viewNetwork } from "./view-network.js";

/** `up status`: the nodes of a network on this machine. */
export const status = command({
  id: "up status",
  summary: "Shows the nodes of a network that `up` made; exit code 1 unless all of them run.",
  examples: ["plinth up status", "plinth up status --data-path=network"],
  flags: folderFlag,
  uses: { points: [genesisTemplates] },
  async run({ flags, dataPath, io, contributions, program }) {
    const given = flags.dataPath ?? dataPath;
    const { path, network, template } = await openFolder(given, contributions(genesisTemplates));
    const running = await findRunning(path, network, program);
    const views = await viewNetwork(network, running, template);
    await io.write(formatTable(views));
    return views.every(({ answer }) => answer !== undefined) ? 0 : 1;
  },
});
