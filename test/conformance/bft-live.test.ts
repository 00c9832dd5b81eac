import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import { ValidatorNetwork } from "../network/validator-network.js";
import { replayBesuLive, VECTORS } from "../support/conformance.js";

const LIMIT_MS = 120_000;
/** Signer metrics of blocks 1 to 5 are asked for. */
const BLOCKS = 6;

/** Skipped cases, as regular expressions over their names, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "(qbft|ibft)_getPendingVotes end":
    "votes were discarded before it that the suite has no cases for",
};

describe("responses recorded from four running validators", () => {
  it.concurrent.each([
    ["qbft", "QBFT,IBFT", 142],
    ["ibft2", "IBFT", 21],
  ])(
    "match ours with %s, in mode besu",
    async (engine, api, count) => {
      const folder = join(VECTORS, "besu-live/networks", engine);
      await using network = await ValidatorNetwork.create({
        validators: 4,
        given: {
          genesis: JSON.parse(readFileSync(join(folder, "genesis.json"), "utf8")),
          keys: [1, 2, 3, 4].map(
            (number) => readFileSync(join(folder, `node${number}.key`), "utf8").trim() as Hex,
          ),
        },
        words: [
          "--rpc-compatibility=besu",
          `--rpc-http-api=ETH,NET,WEB3,DEBUG,TRACE,ADMIN,MINER,TXPOOL,PLUGINS,CLIQUE,PERM,EEA,PRIV,${api}`,
          "--rpc-ws-enabled",
          "--rpc-ws-api=ETH,NET,WEB3,DEBUG,ADMIN,TXPOOL",
          "--host-allowlist=localhost,127.0.0.1",
        ],
      });
      await network.startAll();
      const [first] = network.nodes;
      if (first === undefined) throw new Error("there are no nodes");
      await until(async () => (await first.height()) >= BLOCKS, LIMIT_MS);

      const { passed, failed, output } = await replayBesuLive([
        `--file=besu-live/${engine}.json`,
        `--states=^(any|${engine} network)$`,
        `--url=${first.urls.http}`,
        `--ws-url=${first.urls.ws}`,
        `--skip=^${engine}-n1: (${Object.keys(LEFT_OUT).join("|")})$`,
      ]);

      expect({ passed, failed }, output).toEqual({ passed: count, failed: 0 });
    },
    LIMIT_MS,
  );
});
