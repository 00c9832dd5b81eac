import { command } from "@plinth/core";
import { genesisTemplates } from "@plinth/core/consensus";
import { chooseFolder } from "./choose-folder.js";
import { folderFlag, LOCK_FILE } from "./flags.js";
import { openFolder } from "./folder.js";
import { findHolder } from "./lock.js";
import { findRunning, stopNodes, stopProcess } from "./nodes.js";

/** More than the time that it gives the nodes to stop. */
const UP_LIMIT_MS = 60_000;

/** `up stop`: stops the nodes of a network, and the `up` that shows them. */
export const stop = command({
  id: "up stop",
  summary: "Gracefully stops the nodes of a network created by `up`.",
  examples: ["plinth up stop", "plinth up stop --data-path=network"],
  flags: folderFlag,
  uses: { points: [genesisTemplates] },
  async run({ flags, io, contributions, program, ...context }) {
    const given = chooseFolder(flags.dataPath, context);
    const { path, network } = await openFolder(given, contributions(genesisTemplates));
    const running = await findRunning(path, network, program);
    const holder = await findHolder(path, LOCK_FILE);
    if (holder !== undefined) await stopProcess(holder.pid, UP_LIMIT_MS);
    // Those that it did not stop because it was killed, or is not running.
    await stopNodes((await findRunning(path, network, program)).values());
    await io.write(
      running.size === 0
        ? `no node of ${path} runs`
        : `stopped: ${[...running.keys()].join(", ")}; \`plinth --data-path=${path} up\` resumes the network`,
    );
  },
});
