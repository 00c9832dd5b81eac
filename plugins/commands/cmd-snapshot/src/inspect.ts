import { command, option } from "@plinth/core";
import { openSource } from "@plinth/kit-snapshot";
import { describeManifest, manifestJson } from "./describe-manifest.js";

/** `snapshot inspect DIR|URL`: what a snapshot contains, according to its manifest. */
export const inspect = command({
  id: "snapshot inspect",
  summary: "Shows the block, the chain and the size of a snapshot; its files are not read.",
  examples: ["plinth snapshot inspect https://example.org/snapshots/today"],
  flags: { json: option.flag({ summary: "Prints one JSON object instead of text." }) },
  args: { placeholder: "DIR|URL", summary: "The folder or address of a snapshot.", min: 1, max: 1 },
  uses: {},
  async run({ args: [place = ""], flags: { json }, io, signal }) {
    const manifest = await openSource(place).readManifest({ signal });
    await io.write(
      json ? JSON.stringify(manifestJson(manifest)) : `Snapshot of ${describeManifest(manifest)}`,
    );
  },
});
