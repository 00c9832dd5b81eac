import type { View, ViewContext } from "../context.js";
import { type Child, fill, h } from "../dom.js";
import { type Finding, findProblems, formatFinding } from "../findings.js";
import { count, formatBytes, formatDuration, formatNumber, toNumber } from "../format.js";
import { badge, copyButton } from "../parts/links.js";
import { problem } from "../parts/problem.js";
import { columns, facts, section, table } from "../parts/table.js";
import { CallError, call } from "../rpc.js";
import type { Status } from "../types.js";

const REFRESH_MS = 5000;

/** What is wrong with the node, what it means, and what to do. */
export function doctorView(context: ViewContext): View {
  const place = h("div", { "aria-busy": "true" }, h("p", { class: "dim" }, "Loading…"));
  let last = "";
  const update = async () => {
    try {
      const status = await call<Status>("plinth_status");
      const text = JSON.stringify({ ...status, headAge: 0, disk: status.disk?.daysLeft });
      // Unchanged findings keep the reader's place and selection.
      if (context.signal.aborted || text === last) return;
      last = text;
      fill(place, ...show(status));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      last = "";
      if (!context.signal.aborted) fill(place, failure(error));
    } finally {
      place.removeAttribute("aria-busy");
    }
  };
  const timer = setInterval(() => void update(), REFRESH_MS);
  context.signal.addEventListener("abort", () => clearInterval(timer));
  void update();
  return { title: "Doctor", content: [place] };
}

function failure(error: CallError): Node {
  if (!error.isUnreachable) return problem(error);
  return h(
    "div",
    { class: "notice problem" },
    h("p", {}, h("strong", {}, "The node does not respond.")),
    h(
      "p",
      {},
      "It is stopped, or too busy to respond, or the network between this browser and the node is interrupted. Look at its process and its log.",
    ),
  );
}

function show(status: Status): readonly Child[] {
  const findings = findProblems(status);
  const all = findings.map(formatFinding).join("\n\n");
  return [
    findings.length === 0
      ? h("p", { class: "notice good" }, "No problems: all checks of the node are up.")
      : h(
          "p",
          {},
          `${count(findings.length, "finding")}, the most urgent first. `,
          findings.length > 1 && copyButton(all, "Copy all"),
        ),
    h("ol", { class: "findings plain" }, ...findings.map(findingItem)),
    section("Checks", checkTable(status)),
    section("Node", nodeFacts(status)),
  ];
}

function findingItem(finding: Finding): HTMLElement {
  const { urgency, title, detail, meaning, advice } = finding;
  const tone = urgency === "down" ? "bad" : "wait";
  return h(
    "li",
    { class: `notice ${urgency === "down" ? "problem" : "wait"}` },
    h("h2", {}, badge(urgency, tone), " ", title, " ", copyButton(formatFinding(finding))),
    h("p", {}, detail),
    h("p", {}, h("strong", {}, "What it means: "), meaning),
    h("p", {}, h("strong", {}, "What to do: "), advice),
  );
}

function checkTable({ health }: Status): HTMLElement {
  return table({
    name: "Checks",
    columns: columns("Status", "Plugin", "Check", "Detail"),
    rows: health.checks.map(({ plugin, name, status, detail }) => [
      badge(status, status === "up" ? "good" : status === "down" ? "bad" : "wait"),
      plugin,
      name,
      h("div", { class: "cell wide" }, detail ?? ""),
    ]),
  });
}

function nodeFacts(status: Status): HTMLElement {
  const { head, disk } = status;
  return facts([
    ["Program", status.clientVersion],
    ["Head", `${formatNumber(toNumber(head.number))}, ${formatDuration(status.headAge)} old`],
    ["Chain and network id", `${toNumber(status.chainId)}, ${toNumber(status.networkId)}`],
    ["Genesis", h("code", { class: "whole" }, status.genesisHash)],
    status.peers !== undefined && ["Peers", status.peers],
    disk !== undefined && [
      "Disk",
      `${formatBytes(disk.totalBytes)} used, ${formatBytes(disk.freeBytes)} free${disk.daysLeft === undefined ? "" : `, enough for about ${Math.floor(disk.daysLeft)} days`}`,
    ],
    ["Plugins", status.plugins.join(", ")],
  ]);
}
