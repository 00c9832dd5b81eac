import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, InvalidBlock } from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import rpcClique from "@plinth/plugin-rpc-clique";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import { compareWithBesu } from "../support/besu-networks.js";
import { cliqueGenesis, SIGNERS, sealedOn, type TestSigner } from "../support/clique-chain.js";
import { isConformanceMissing, replayBesuLive, runSuite, VECTORS } from "../support/conformance.js";
import { PROGRAM, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const LIMIT_MS = 120_000;

interface Scenario {
  readonly name: string;
  readonly epoch: number;
  readonly signers: readonly string[];
  readonly votes: readonly {
    readonly signer: string;
    readonly subject?: string;
    readonly auth?: boolean;
    readonly epochBlock?: boolean;
  }[];
  readonly results?: readonly string[];
  readonly failure?: string;
}

/** The rule of each failure in the scenarios. */
const RULES: Readonly<Record<string, string>> = {
  "unauthorized-signer": "signer",
  "recently-signed": "recently-signed",
};

describe("the scenarios of EIP-225", () => {
  const scenarios: readonly Scenario[] = JSON.parse(
    readFileSync(join(VECTORS, "consensus-vectors.json"), "utf8"),
  ).clique.votingScenarios.cases;

  it("are complete", () => {
    expect(scenarios).toHaveLength(23);
  });

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    async (_, scenario) => {
      const { signers, votes, epoch, results, failure } = scenario;
      const genesis = cliqueGenesis({
        signers: signers.map(byLetter),
        clique: { period: 1, epoch },
      });
      await using test = await createTestNode({ plugins: [consensusClique, rpcClique], genesis });
      const { blocks } = test.node;

      const outcomes: string[] = [];
      for (const { signer, subject, auth, epochBlock = false } of votes) {
        const members = await test.rpc("clique_getSigners");
        const candidate = subject === undefined ? undefined : byLetter(subject).address;
        const block = sealedOn(blocks.head(), {
          signer: byLetter(signer),
          members: members as readonly Address[],
          isEpoch: epochBlock,
          ...(candidate && { vote: { candidate, kind: auth === true ? "add" : "drop" } }),
        });
        outcomes.push(await blocks.import(block, { origin: "peer" }).then(placementOf, ruleOf));
      }

      const last = failure === undefined ? "head" : RULES[failure];
      expect(outcomes).toEqual([...votes.slice(1).map(() => "head"), last]);
      if (results !== undefined) {
        expect(await test.rpc("clique_getSigners")).toEqual(
          results.map((letter) => byLetter(letter).address).sort(),
        );
      }
    },
  );
});

interface Answer {
  readonly node: string;
  readonly height: number;
  readonly phase: string;
  readonly sameAfterImport?: boolean;
  readonly request: { readonly method: string; readonly params: readonly unknown[] };
  readonly response: Json;
}

/** Skipped cases, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  qbft_getSignerMetrics: "belongs to a namespace of another engine",
  ibft_getSignerMetrics: "belongs to a namespace of another engine",
};

describe("chains of running Besu networks", () => {
  it.each([
    ["clique-votes", "0x49", 307],
    ["clique-no-empty", "0x13", 165],
  ])(
    "%s is imported, and every recorded response matches ours in mode besu",
    async (name, head, asked) => {
      expect(await compareWithBesu({ name, api: "CLIQUE", leftOut: LEFT_OUT })).toEqual({
        head,
        asked,
        wrong: [],
      });
    },
    LIMIT_MS,
  );
});

describe("the proposals of the nodes of a running Besu network", () => {
  /** Where n2 was restarted: a Besu forgets its proposals then, a node of ours does not. */
  const RESTART = 69;

  it.each(["n1", "n2", "n3", "n4"])("match ours in mode besu: %s", async (name) => {
    const folder = join(VECTORS, "besu-networks/clique-votes");
    await using test = await createTestNode({
      plugins: [consensusClique, rpcClique],
      genesis: JSON.parse(readFileSync(join(folder, "genesis.json"), "utf8")),
      options: { rpcCompatibility: "besu" },
    });
    const recorded: readonly Answer[] = JSON.parse(
      readFileSync(join(folder, "answers.json"), "utf8"),
    ).filter(
      ({ node, phase, height, request }: Answer) =>
        node === name &&
        phase === "live" &&
        height < RESTART &&
        /^clique_(propose|discard|proposals)$/.test(request.method),
    );

    expect(recorded.length).toBeGreaterThan(0);
    for (const { request, response } of recorded) {
      const given = await test.rpc(request.method, request.params).then(
        (result) => ({ result }),
        ({ code, message }) => ({ error: { code, message } }),
      );
      const { jsonrpc, id, ...expected } = response;
      expect(given).toEqual(expected);
    }
  });
});

describe.skipIf(isConformanceMissing)("the suites of run-all.mjs", () => {
  it(
    "have a genesis file and an import of Clique, and both are valid",
    async () => {
      const { passed, failed, output } = await runSuite("run-all.mjs", [
        `--cli=${process.execPath} ${PROGRAM}`,
        "--only=clique|Clique",
        "--apis=ETH,NET,WEB3,DEBUG",
        "--leave-out=engine",
      ]);

      expect({ passed, failed }, output).toEqual({ passed: 2, failed: 0 });
    },
    LIMIT_MS,
  );
});

describe("responses recorded from a running Clique signer", () => {
  it(
    "match ours in mode besu",
    async () => {
      const folder = join(VECTORS, "besu-live/networks/clique");
      using data = temporaryFolder();
      await using node = await startNode(
        [
          `--genesis-file=${join(folder, "genesis.json")}`,
          `--node-private-key-file=${join(folder, "node.key")}`,
          "--rpc-compatibility=besu",
          "--rpc-http-enabled",
          "--rpc-http-api=ETH,NET,WEB3,DEBUG,TRACE,ADMIN,MINER,TXPOOL,CLIQUE",
        ],
        { folder: data.path },
      );
      // With only the first block there are no metrics.
      await until(async () => Number(await node.rpc("eth_blockNumber")) > 1, LIMIT_MS);

      const { passed, failed, output } = await replayBesuLive([
        "--file=besu-live/clique.json",
        "--states=^clique network$",
        `--url=${node.url}`,
      ]);

      expect({ passed, failed }, output).toEqual({ passed: 7, failed: 0 });
    },
    LIMIT_MS,
  );
});

type Json = Readonly<Record<string, unknown>>;

const byLetter = (letter: string): TestSigner => {
  const signer = SIGNERS["ABCDEFGHIJ".indexOf(letter)];
  if (signer === undefined) throw new Error(`there is no signer ${letter}`);
  return signer;
};

const placementOf = ({ placement }: { readonly placement: string }) => placement;

function ruleOf(error: unknown): string {
  if (error instanceof InvalidBlock) return error.rule;
  throw error;
}
