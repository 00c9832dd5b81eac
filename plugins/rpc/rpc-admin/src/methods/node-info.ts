import { isIPv6 } from "node:net";
import { type BlockReader, method, type Network, type Runtime, raw, t, toHex } from "@plinth/core";
import { formatEnode } from "@plinth/core/network";
import { chainConfigOf } from "../chain-config.js";
import { verifyAnswerable } from "../p2p-disabled.js";

const LOCAL = new Set(["127.0.0.1", "0.0.0.0", "::1", "::"]);

/** `admin_nodeInfo`: identity of this node and the status of its chain. */
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
    const protocols = blocks === undefined ? "{}" : `{"eth":${describeChain(blocks, runtime)}}`;
    const members = {
      ...addressesOf(runtime),
      id: JSON.stringify(idOf(network)),
      name: JSON.stringify(clientVersion),
      ports: JSON.stringify(portsOf(network)),
      protocols,
      activeFork: JSON.stringify(blocks && activeForkOf(blocks)),
    };
    return raw(Buffer.from(objectOf(members)));
  },
});

/**
 * The address of the node; a local address is shown as the wildcard address, except in Besu mode.
 */
function addressesOf({ network, compatibility }: Runtime): Readonly<Record<string, string>> {
  const { localNode } = network;
  if (localNode === undefined) return {};
  const { enode, listening } = localNode;
  const isShownAsAny = compatibility.mode !== "besu" && LOCAL.has(enode.host);
  const host = isShownAsAny ? "::" : enode.host;
  return {
    enode: JSON.stringify(formatEnode({ ...enode, host })),
    ip: JSON.stringify(enode.host),
    ...(listening === undefined
      ? {}
      : { listenAddr: JSON.stringify(`${isIPv6(host) ? `[${host}]` : host}:${listening.port}`) }),
  };
}

function portsOf({ localNode }: Network): Readonly<Record<string, number>> {
  if (localNode === undefined) return {};
  const { enode, listening } = localNode;
  return {
    ...(enode.udpPort === 0 ? {} : { discovery: enode.udpPort }),
    ...(listening === undefined ? {} : { listener: listening.port }),
  };
}

function idOf({ publicKey }: Network): string | undefined {
  return publicKey && toHex(publicKey).slice(2);
}

function describeChain(
  blocks: BlockReader,
  { chain: { genesis }, network, compatibility }: Runtime,
): string {
  const { hash } = blocks.head();
  return objectOf({
    config: JSON.stringify(chainConfigOf(genesis, compatibility)),
    difficulty: String(blocks.findTotalDifficulty(hash) ?? 0n),
    genesis: JSON.stringify(blocks.findHeader(0n)?.hash),
    head: JSON.stringify(hash),
    network: String(network.id),
  });
}

/**
 * JSON has numbers of any size, but `JSON.stringify` does not write bigints: members are already
 * JSON.
 */
function objectOf(members: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(members).filter(([, json]) => json !== undefined);
  return `{${known.map(([name, json]) => `"${name}":${json}`).join(",")}}`;
}

function activeForkOf(blocks: BlockReader): string {
  const fork = blocks.forkAt(blocks.head());
  return `${fork[0]?.toUpperCase()}${fork.slice(1)}`;
}
