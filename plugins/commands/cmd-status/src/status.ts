import { command, option } from "@plinth/core";
import { askNode } from "./ask-node.js";
import { findUrl } from "./find-url.js";
import { formatScreen, formatSilence } from "./screen.js";
import { Silence } from "./silence.js";
import { toJson } from "./to-json.js";
import { findTroubles } from "./troubles.js";
import { urlFlag } from "./url-flag.js";

/** Exit codes as monitoring systems expect them: healthy, unhealthy, no answer. */
const WELL = 0;
const TROUBLED = 1;
const SILENT = 2;

const flags = {
  url: urlFlag,
  maxHeadAge: option.integer({
    summary: "How many seconds old the last block may be; as the chain is meant when left out.",
    min: 1,
  }),
  json: option.flag({ summary: "Prints one JSON object in the place of the screen." }),
};

/** `status`: asks a running node how it is and prints one screen. */
export const status = command({
  id: "status",
  summary:
    "Asks a running node how it is; exit code 1 when something is wrong, 2 when it is silent.",
  examples: ["plinth --data-path=data status", "plinth status --json --max-head-age=60"],
  flags,
  uses: {},
  async run({ flags: { url: given, maxHeadAge, json }, io, dataPath, signal }) {
    const url = await findUrl(given, dataPath);
    try {
      const node = await askNode(url, signal);
      const troubles = findTroubles(node, maxHeadAge);
      const show = () => formatScreen(url, node, { troubles, hasColors: io.hasColors === true });
      await io.write(json ? toJson({ url, ...node, troubles }) : show());
      return troubles.length === 0 ? WELL : TROUBLED;
    } catch (error) {
      if (!(error instanceof Silence)) throw error;
      const { message } = error;
      await io.write(json ? JSON.stringify({ url, error: message }) : formatSilence(url, message));
      return SILENT;
    }
  },
});
