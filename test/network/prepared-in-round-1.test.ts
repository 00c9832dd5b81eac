import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { report } from "../support/report.js";
import { FinalBlocks } from "./final-blocks.js";
import { until } from "./network-node.js";
import { ValidatorNetwork, type ValidatorNode } from "./validator-network.js";

const isLong = process.env.PLINTH_NETWORK !== undefined;
/** The height that cannot be decided at first. */
const HEIGHT = 4;

// The situation that Besu 24.9.1 never leaves: validators are prepared in a round above 0 for a
// block with round 0, and no quorum has committed.
it.runIf(isLong)(
  "a block prepared in round 1, but not committed, is decided in a later round",
  async () => {
    await using network = await ValidatorNetwork.create({
      validators: 4,
      words: ["--Xqbft-block-round=ZERO", "--rpc-http-api=ETH,PLINTH"],
    });
    const [first, second, sleeper, withholding] = network.nodes as Four;
    withholding.configure(
      [
        'without = ["consensus-qbft"]',
        `plugins = ["${join(ROOT, "test/support/withholding-validator.mjs")}"]`,
      ],
      { WITHHOLD_FROM: String(HEIGHT) },
    );
    await network.startAll();
    await until(async () => (await first.height()) >= 1, 30_000);

    sleeper.signal("SIGSTOP");
    const standsStill = async () => {
      const status = JSON.stringify(await first.rpc("plinth_status"));
      return /block 4 is in round [3-9]/.test(status);
    };
    await until(standsStill, 120_000);
    expect(await first.height()).toBe(HEIGHT - 1);
    sleeper.signal("SIGCONT");

    const ended = await until(async () => (await second.height()) >= HEIGHT, 60_000);
    await new FinalBlocks().addAll([first, second]);
    report("milliseconds until a height ended whose block was prepared in round 1", [ended]);
  },
  300_000,
);

type Four = readonly [ValidatorNode, ValidatorNode, ValidatorNode, ValidatorNode];
