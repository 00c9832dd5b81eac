import { type CommandIo, command, option } from "@plinth/core";
import { accessFlags } from "./access-flags.js";
import { type Asked, isOk } from "./ask.js";
import { askNode } from "./ask-node.js";
import { findAccess } from "./find-access.js";
import { findProblems } from "./find-problems.js";
import { NoEntry } from "./no-entry.js";
import { NodeUnreachable } from "./node-unreachable.js";
import { formatReadiness, formatScreen, formatSilence } from "./screen.js";
import { toJson } from "./to-json.js";

/** Exit codes as monitoring systems expect them: healthy, unhealthy, no response. */
const WELL = 0;
const TROUBLED = 1;
const SILENT = 2;

const flags = {
  ...accessFlags,
  maxHeadAge: option.integer({
    summary: "Maximum age of the head block in seconds; by default derived from the chain.",
    min: 1,
  }),
  json: option.flag({ summary: "Prints one JSON object instead of the screen." }),
};

/** `status`: queries a running node and prints one screen. */
export const status = command({
  id: "status",
  summary:
    "Shows the status of a running node; exit code 1 if there are problems, 2 if it does not respond.",
  examples: ["plinth --data-path=data status", "plinth status --json --max-head-age=60"],
  flags,
  uses: {},
  async run({ flags, io, dataPath, signal }) {
    const { maxHeadAge, json } = flags;
    const access = await findAccess(flags, dataPath);
    const { url } = access;
    try {
      const node = await askNode({ ...access, signal });
      const troubles = findProblems(node, maxHeadAge);
      const show = () => formatScreen(url, node, { troubles, hasColors: io.hasColors === true });
      await io.write(json ? toJson({ url, ...node, troubles }) : show());
      return troubles.length === 0 ? WELL : TROUBLED;
    } catch (error) {
      if (error instanceof NoEntry && access.token === undefined) {
        return showReadiness({ ...access, signal }, { io, json, reason: error.message });
      }
      if (!(error instanceof NodeUnreachable)) throw error;
      const { message } = error;
      await io.write(json ? JSON.stringify({ url, error: message }) : formatSilence(url, message));
      return SILENT;
    }
  },
});

/** All that a node shows without a token: whether its health checks pass. */
async function showReadiness(
  asked: Asked,
  { io, json, reason }: { readonly io: CommandIo; readonly json: boolean; readonly reason: string },
): Promise<number> {
  const { url } = asked;
  const isReady = await isOk(asked, "/readiness");
  const shown = { isReady, reason, hasColors: io.hasColors === true };
  await io.write(
    json ? toJson({ url, ready: isReady, error: reason }) : formatReadiness(url, shown),
  );
  return isReady ? WELL : TROUBLED;
}
