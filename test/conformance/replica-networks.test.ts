import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLiveRequests } from "../support/besu-live-requests.js";
import { readExchanges } from "../support/besu-networks.js";
import { readBlocks } from "../support/block-file.js";
import { callsAbout, contentsOf } from "../support/calls-about-chain.js";
import { type Call, ComparedResponses } from "../support/compared-responses.js";
import { isEveryTestWanted, VECTORS } from "../support/conformance.js";
import { BLOCK_FIELDS, TRANSACTION_FIELDS } from "../support/graphql-fields.js";
import { startNodeAndReplica } from "../support/node-and-replica.js";
import { UNCALLED } from "../support/replica-differences.js";

/** `npm run long -- replicas` compares the responses about every block of every network. */
const NETWORKS = isEveryTestWanted
  ? [...besuNetworks(), ...recordedTraffic()]
  : ["qbft-cancun", "ibft2-votes", "clique-votes"].map(besuNetwork);
/** Those of all networks are sent to each, with every kind of mistake. */
const LIVE_REQUESTS = readLiveRequests();
const INDEXES = { addressIndexEnabled: true, logIndexEnabled: true };

describe("a node with the chain of a recorded network, and its replica", () => {
  it.each(NETWORKS)("return the same: $name", async ({ genesis, blocks, calls: recorded = [] }) => {
    await using nodes = await startNodeAndReplica({ genesis, blocks }, INDEXES);
    const { node } = nodes.source.node;
    const compared = new ComparedResponses(nodes);
    const contents = contentsOf(node, { isEvery: isEveryTestWanted });
    const calls = [...distinct(recorded), ...callsAbout(node, contents)];
    const queries = contents.blocks.map(
      (number) =>
        `{block(number:${Number(number)}){${BLOCK_FIELDS} transactions{${TRANSACTION_FIELDS}}}}`,
    );

    await compared.call(calls);
    for (const query of queries) await compared.query(query);
    for (const request of LIVE_REQUESTS) await compared.send(request);

    const { different, documented, equal } = compared;
    const others = [...documented.values()].reduce((sum, count) => sum + count, 0);
    expect(different.slice(0, 3)).toEqual([]);
    expect(equal).toBe(calls.length + queries.length + LIVE_REQUESTS.length - others);
    const called = new Set(calls.map(({ method }) => method));
    expect(node.methods().filter(({ fullName }) => !called.has(fullName))).toHaveLength(
      Object.keys(UNCALLED).length,
    );
  });
});

interface Network {
  readonly name: string;
  readonly genesis: string;
  readonly blocks: string;
  /** The recorded requests. */
  readonly calls?: readonly Call[];
}

function besuNetworks(): readonly Network[] {
  const networks: readonly { readonly name: string }[] = JSON.parse(
    readFileSync(join(VECTORS, "besu-networks/networks.json"), "utf8"),
  );
  return networks.map(({ name }) => besuNetwork(name));
}

function besuNetwork(name: string): Network {
  const folder = join(VECTORS, "besu-networks", name);
  return {
    name,
    genesis: join(folder, "genesis.json"),
    blocks: join(folder, "chain.blocks"),
    calls: readExchanges(name).map(({ request }) => request),
  };
}

/** The chains of the recorded traffic that have more than block 0. */
function recordedTraffic(): readonly Network[] {
  const folder = join(VECTORS, "besu-wire");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return files
    .filter((file) => file.endsWith("blocks.rlp"))
    .map((file) => join(folder, file, ".."))
    .map((path) => ({
      name: path.slice(folder.length + 1),
      genesis: join(path, "genesis.json"),
      blocks: join(path, "blocks.rlp"),
    }))
    .filter(({ blocks }) => [...readBlocks(blocks)].length > 1);
}

/** Each call once. */
function distinct(calls: readonly Call[]): readonly Call[] {
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}
