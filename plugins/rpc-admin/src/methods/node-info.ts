import { type Blockchain, method, type Network, type Runtime, raw, t, toHex } from "@plinth/core";
import { chainConfigOf } from "../chain-config.js";
import { verifyAnswerable } from "../p2p-disabled.js";

/** `admin_nodeInfo`: who this node is and where its chain stands. */
export const nodeInfo = method({
  summary: "Describes this node and its chain.",
  result: t.json,
  example: {
    params: [],
    result: {
      id: "ab".repeat(64),
      name: "plinth/v0.1.0/linux-x86_64/node-20",
      ports: {},
      protocols: {
        eth: {
          config: { chainId: 1337, londonBlock: 0 },
          difficulty: 1,
          genesis: `0x${"ab".repeat(32)}`,
          head: `0x${"ab".repeat(32)}`,
          network: 1337,
        },
      },
      activeFork: "London",
    },
  },
  handle(_, runtime: Runtime) {
    verifyAnswerable(runtime);
    const { chain, network, clientVersion } = runtime;
    const { blocks } = chain;
    const protocols =
      blocks === undefined ? "{}" : `{"eth":${describeChain(blocks, chain.genesis, network)}}`;
    const members = {
      id: JSON.stringify(idOf(network)),
      name: JSON.stringify(clientVersion),
      ports: "{}",
      protocols,
      activeFork: JSON.stringify(blocks && activeForkOf(blocks)),
    };
    return raw(Buffer.from(objectOf(members)));
  },
});

function idOf({ publicKey }: Network): string | undefined {
  return publicKey && toHex(publicKey).slice(2);
}

function describeChain(blocks: Blockchain, genesis: object, network: Network): string {
  const { hash } = blocks.head();
  return objectOf({
    config: JSON.stringify(chainConfigOf(genesis)),
    difficulty: String(blocks.findTotalDifficulty(hash) ?? 0n),
    genesis: JSON.stringify(blocks.findHeader(0n)?.hash),
    head: JSON.stringify(hash),
    network: String(network.id),
  });
}

/** Numbers of any size have JSON, but `JSON.stringify` has none for them: members come as JSON. */
function objectOf(members: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(members).filter(([, json]) => json !== undefined);
  return `{${known.map(([name, json]) => `"${name}":${json}`).join(",")}}`;
}

function activeForkOf(blocks: Blockchain): string {
  const fork = blocks.forkAt(blocks.head());
  return `${fork[0]?.toUpperCase()}${fork.slice(1)}`;
}
