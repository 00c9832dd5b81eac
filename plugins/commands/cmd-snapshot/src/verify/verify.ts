import { ConfigError, command, option, optionKinds, type SealedHeader } from "@plinth/core";
import type { StoredChain } from "@plinth/core/chain";
import { openSource } from "@plinth/kit-snapshot";
import { describeManifest, manifestJson } from "../describe-manifest.js";
import { Progress } from "../progress.js";
import { verifyBlocks } from "./verify-blocks.js";
import { verifyHeaders } from "./verify-headers.js";
import { verifyState } from "./verify-state.js";

/** `snapshot verify DIR|URL`: verifies every file of a snapshot. */
export const verify = command({
  id: "snapshot verify",
  summary:
    "Verifies a snapshot against the genesis file: seals of headers, state, codes and blocks; takes about as long as to join by it.",
  examples: ["plinth --genesis-file=genesis.json snapshot verify /snapshots/today"],
  flags: {
    trustedValidators: option.list({
      summary: "The validators of the block, if a contract determines them.",
      of: optionKinds.address(),
    }),
    json: option.flag({ summary: "Prints one JSON object instead of text." }),
  },
  args: { placeholder: "DIR|URL", summary: "The folder or address of a snapshot.", min: 1, max: 1 },
  uses: { chain: true },
  async run({ args: [place = ""], flags, io, storedChain, signal }) {
    const stored = await storedChain();
    const source = openSource(place);
    const manifest = await source.readManifest({ signal });
    const progress = new Progress(io, signal);
    const snapshot = { source, manifest, progress, signal };
    const genesis = await getGenesis(stored);
    await verifyHeaders(snapshot, {
      engine: stored.engine,
      genesis,
      trust: { validators: flags.trustedValidators },
    });
    const state = await verifyState(snapshot);
    await verifyBlocks(snapshot);
    progress.end();
    await io.write(
      flags.json
        ? JSON.stringify({ ...manifestJson(manifest), ...state })
        : `Intact: ${describeManifest(manifest)}\n${state.accounts} accounts, ${state.slots} slots`,
    );
  },
});

async function getGenesis(stored: StoredChain): Promise<SealedHeader> {
  const header = await stored.readGenesis();
  if (header !== undefined) return header;
  throw new ConfigError("SNAPSHOT_REFUSED", {
    message:
      "block 0 of this chain is not determined by its genesis file, so no snapshot of it can be verified",
  });
}
