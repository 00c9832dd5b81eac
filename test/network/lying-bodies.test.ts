import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { until } from "./network-node.js";
import { ValidatorNetwork, type ValidatorNode } from "./validator-network.js";

/**
 * `npm run long -- network` runs it; `simulator/wrong-bodies.test.ts` tests the same in one
 * process.
 */
const isLong = process.env.PLINTH_NETWORK !== undefined;
const ENGINES = ["qbft", "ibft2"] as const;
const LIMIT_MS = 60_000;
const COMMITTED_MS = 700;

describe.runIf(isLong).each(ENGINES)(
  "four %s validators, one of which sends wrong bodies",
  (engine) => {
    it("decide one block, also if only one receives the commits and the others are restarted", async () => {
      await using network = await ValidatorNetwork.create({
        ...{ validators: 4, engine, words: ["--rpc-http-api=ETH,PLINTH"] },
        settings: { requestTimeoutSeconds: engine === "qbft" ? 1 : 2 },
      });
      const [first, liar, alone, last] = inOrder(network.nodes);
      const ids = {
        LIE_PROPOSER: last.address,
        LIE_REACHES: idOf(alone),
        LIE_UNPREPARED: idOf(first),
        LIE_KEY: readFileSync(liar.file("key"), "utf8"),
      };
      liar.configure(linesFor(engine), { LIE_ENGINE: engine, LIE: "bodies", ...ids });
      for (const node of [first, last, alone]) {
        const silent = node === alone ? "silent-eth" : undefined;
        node.configure(linesFor(engine, silent), { LIE_ENGINE: engine, LIE: "loses", ...ids });
      }
      await network.startAll();
      const findHeight = () => Number(/lies at block (\d+)/.exec(alone.output())?.[1]);
      await until(async () => (await alone.height()) === findHeight(), LIMIT_MS);
      const height = findHeight();
      const decided = await hashAt(alone, height);
      expect(await first.height()).toBe(height - 1);
      // The others have committed as well, and start no further round yet.
      await pause(COMMITTED_MS);

      await Promise.all(network.nodes.map((node) => node.kill()));
      for (const node of [first, last, alone]) {
        node.configure(linesFor(engine), { LIE: "late", LIE_HEIGHT: String(height) });
      }
      liar.configure(linesFor(engine), { LIE: "forgets", LIE_HEIGHT: String(height) });
      for (const node of [first, last, liar]) await node.start();
      await until(async () => (await first.height()) >= height, LIMIT_MS);

      expect(await hashAt(first, height)).toBe(decided);
      await alone.start();
      await until(async () => (await alone.height()) > height, LIMIT_MS);
      expect(await hashAt(alone, height)).toBe(decided);
    }, 300_000);
  },
);

/** By their addresses, which is the order of proposers. */
function inOrder(nodes: readonly ValidatorNode[]) {
  return [...nodes].sort((a, b) => (a.address < b.address ? -1 : 1)) as unknown as readonly [
    ValidatorNode,
    ValidatorNode,
    ValidatorNode,
    ValidatorNode,
  ];
}

/** The id of a node, as its peers see it. */
function idOf({ enode }: ValidatorNode): string {
  return `0x${/enode:\/\/(\w+)@/.exec(enode)?.[1]}`;
}

function linesFor(engine: "qbft" | "ibft2", silent?: "silent-eth"): readonly string[] {
  const consensus = engine === "qbft" ? "consensus-qbft" : "consensus-ibft";
  const without = [consensus, ...(silent ? ["protocol-eth"] : [])];
  const plugins = ["lying-validator", ...(silent ? [silent] : [])].map((name) =>
    join(ROOT, `test/support/${name}.mjs`),
  );
  return [`without = ${JSON.stringify(without)}`, `plugins = ${JSON.stringify(plugins)}`];
}

async function hashAt(node: ValidatorNode, number: number): Promise<string> {
  const block = await node.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, true]);
  return (block as { readonly hash: string }).hash;
}
