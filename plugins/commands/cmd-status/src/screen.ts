import { styleText } from "node:util";
import { describeDisk } from "@plinth/plugin-disk-usage/api";
import { findUnseen } from "./find-problems.js";
import type { NodeInside, NodeStatus } from "./node-status.js";

const WIDTH = 100;
const LABEL = 10;

/** The screen: health of the node, its position, then its identity. */
export function formatScreen(
  url: string,
  node: NodeStatus,
  { troubles, hasColors }: { readonly troubles: readonly string[]; readonly hasColors: boolean },
): string {
  const { clientVersion, head, headAge, health, inside, outside } = node;
  const unseen = findUnseen(node);
  const rows = {
    Health: health.status,
    Head: `block ${grouped(head.number)}, ${describeAge(headAge)} old, ${head.hash}`,
    Peers: inside ? describePeers(inside) : outside?.peers?.toLocaleString("en"),
    Sync: inside || outside?.sync ? describeSync(inside ?? outside, head.number) : undefined,
    Pool: inside && describePool(inside),
    Disk: inside && (inside.disk ? describeDisk(inside.disk) : "in memory, or not measured yet"),
    Node: url,
    Version: clientVersion,
    Chain: describeChain(node),
    Plugins: inside && `${inside.plugins.length}: ${inside.plugins.join(", ")}`,
  };
  const color = troubles.length === 0 ? "green" : "red";
  const verdict = formatVerdict(troubles, unseen);
  return [
    ...(hasColors
      ? verdict.map((line) => styleText(color, line, { validateStream: false }))
      : verdict),
    ...(unseen.length === 0 ? [] : [`Not visible: ${unseen.join(", ")}. ${REMEDY}`]),
    "",
    ...Object.entries(rows).map(([label, text]) => formatRow(label, text ?? NOT_REPORTED)),
    ...formatNotes(health.checks),
  ].join("\n");
}

/** The problems, one line each. */
function formatVerdict(troubles: readonly string[], unseen: readonly string[]): readonly string[] {
  const isSeen = unseen.length === 0;
  const nothing = isSeen ? "No problems." : "No problems in what eth_ and net_ show.";
  return [
    troubles.length === 0 ? nothing : "Problems:",
    ...troubles.map((trouble) => `- ${trouble}`),
  ];
}

/** Details of healthy parts. */
function formatNotes(checks: NodeStatus["health"]["checks"]): readonly string[] {
  const notes = checks.filter(({ status, detail }) => status === "up" && detail !== undefined);
  if (notes.length === 0) return [];
  return ["", "Details:", ...notes.map(({ plugin, detail }) => `- ${plugin}: ${detail}`)];
}

/** Same for a node that shows only its readiness. */
export function formatReadiness(
  url: string,
  {
    isReady,
    reason,
    hasColors,
  }: { readonly isReady: boolean; readonly reason: string; readonly hasColors: boolean },
): string {
  const verdict = isReady
    ? "No problems in what /readiness shows."
    : "Problems:\n- /readiness is down";
  const color = isReady ? "green" : "red";
  return [
    hasColors ? styleText(color, verdict, { validateStream: false }) : verdict,
    `Not visible: everything else. ${reason}`,
    "",
    formatRow("Health", isReady ? "ready" : "not ready"),
    formatRow("Node", url),
  ].join("\n");
}

/** Same for a node that does not respond. */
export function formatSilence(url: string, reason: string): string {
  return [
    "Problems:",
    `- ${reason}`,
    "  Is the node running, with --rpc-http-enabled, at this URL? Name another one with --url.",
    "",
    formatRow("Health", "silent"),
    formatRow("Node", url),
  ].join("\n");
}

/** A node without peers cannot know whether there are later blocks. */
function describeSync(
  { sync, peers }: Pick<NodeInside, "sync" | "peers"> = { sync: undefined, peers: undefined },
  head: bigint,
): string {
  if (sync === undefined) return "off";
  if (!sync.syncing) return peers === 0 ? "no peers: later blocks would be unknown" : "in sync";
  return `${grouped(sync.highest - head)} blocks behind block ${grouped(sync.highest)}`;
}

const NOT_REPORTED = "not reported; add PLINTH to --rpc-http-api of the node";
const REMEDY = "Add PLINTH to --rpc-http-api of the node, or to --Xrpc-ipc-api of its socket.";

function describePeers({ peers }: NodeInside): string {
  return peers === undefined ? "no network" : grouped(peers);
}

function describeChain({ chainId, inside }: NodeStatus): string {
  const chain = chainId === undefined ? "without an id" : String(chainId);
  if (inside === undefined) return chain;
  return `${chain}, network ${inside.networkId}, genesis ${inside.genesisHash}`;
}

function describePool({ pending, setAside }: NodeInside): string {
  const parts = setAside.map(({ hash, message }) => `; set aside: ${hash}: ${message}`);
  return `${grouped(pending)} transactions${parts.join("")}`;
}

/** `3 s`, `12 min 5 s`, `4 h 2 min`, `9 d 3 h`. */
function describeAge(seconds: number): string {
  const units = [
    { name: "d", size: 86_400 },
    { name: "h", size: 3600 },
    { name: "min", size: 60 },
    { name: "s", size: 1 },
  ];
  const first = units.findIndex(({ size }) => seconds >= size);
  if (first < 0) return "0 s";
  return units
    .slice(first, first + 2)
    .map(({ name, size }, index) => {
      const count = index === 0 ? seconds : seconds % (units[first]?.size ?? 1);
      return { name, count: Math.floor(count / size) };
    })
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} ${name}`)
    .join(" ");
}

function grouped(value: number | bigint): string {
  return value.toLocaleString("en");
}

/** A label and a text with continuation lines. */
function formatRow(label: string, text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + word.length + 1 > WIDTH - LABEL) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return `${label.padEnd(LABEL)}${lines.join(`\n${" ".repeat(LABEL)}`)}`;
}
