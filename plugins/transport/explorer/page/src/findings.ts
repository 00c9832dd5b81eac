import { formatBytes, formatDuration, formatNumber, toNumber } from "./format.js";
import type { HealthCheck, Status } from "./types.js";

/** Something that an operator should know, with the most urgent first. */
export interface Finding {
  readonly urgency: "down" | "degraded" | "note";
  readonly title: string;
  readonly detail: string;
  /** What it means for the chain and its users. */
  readonly meaning: string;
  readonly advice: string;
}

interface Known {
  readonly title: string;
  readonly meaning: string;
  readonly advice: string;
}

/** What failing checks mean, by the name of the check, or by plugin and name. */
const KNOWN: Readonly<Record<string, Known>> = {
  head: {
    title: "No new blocks",
    meaning: "The chain stands still, or this node does not receive its blocks. Transactions wait.",
    advice:
      "Read the other findings first: they usually have the reason. Then compare the head of this node with that of others.",
  },
  agreement: {
    title: "The validators do not agree on a block",
    meaning:
      "No block is final without a quorum of validators. Nothing is lost: they continue as soon as enough of them agree.",
    advice: "Follow the last sentence of the finding on every validator that it names.",
  },
  signing: {
    title: "The signers do not produce blocks",
    meaning: "No signer whose turn it is has signed a block. Transactions wait.",
    advice: "Start signers that are down, and check that their keys are those of the signers.",
  },
  signers: {
    title: "Signers are missing",
    meaning:
      "Some signers have not signed recently. If more than half are missing, no block is produced.",
    advice: "Start those that are down, or vote to remove those that do not come back.",
  },
  peers: {
    title: "Too few peers",
    meaning:
      "Blocks and transactions of this node do not reach the others, or theirs do not reach it.",
    advice:
      "Check the static peers, the port and the firewall, and that genesis files and network ids are equal.",
  },
  sync: {
    title: "The node cannot follow the chain",
    meaning: "It shows an older state than other nodes.",
    advice: "Check that its peers are ahead and have the same genesis file; the log has more.",
  },
  disk: {
    title: "The disk is nearly full",
    meaning: "The node stops when a block cannot be written.",
    advice: "Free some space, or move the data folder. plinth disk shows what takes how much.",
  },
  forecast: {
    title: "The disk will be full",
    meaning: "At the present growth the node has to stop.",
    advice: "Provide more space in time; plinth disk shows what grows.",
  },
  tables: {
    title: "The database is damaged",
    meaning: "Values on the disk cannot be read as they were written.",
    advice: "Stop the node, copy the data folder, and run plinth db repair.",
  },
  certificate: {
    title: "A certificate needs attention",
    meaning: "Clients that check it cannot connect once it is not valid.",
    advice: "Replace its files; the node reads them again without a restart.",
  },
  "old-blocks": {
    title: "Old blocks are missing",
    meaning: "The node follows the head, but cannot show blocks from before it joined.",
    advice: "Wait while they are fetched; if that stops, the log has the reason.",
  },
  "private transactions": {
    title: "Private transactions wait",
    meaning: "The private state of groups is behind the chain, so private calls fail or wait.",
    advice:
      "Start the private transaction manager that the finding names, and check its connection.",
  },
};

const LOW_DISK_DAYS = 14;

/** The findings of a node, the most urgent first. */
export function findProblems(status: Status): readonly Finding[] {
  const { setAside, sync, disk, head, headAge } = status;
  const failing = status.health.checks.filter((check) => check.status !== "up").map(fromCheck);
  const notes: Finding[] = status.health.checks
    .filter((check) => check.status === "up" && check.detail !== undefined)
    .map(fromRemark);
  for (const { hash, message } of setAside.slice(0, 20)) {
    notes.push({
      urgency: "degraded",
      title: "A transaction was set aside",
      detail: `${hash}: ${message}`,
      meaning:
        "The node failed to execute it while it built a block, and does not try again by itself.",
      advice:
        "The log has the reason. Send it again with the same nonce and a higher price to retry it.",
    });
  }
  if (sync?.syncing === true) {
    const behind = toNumber(sync.highest) - toNumber(head.number);
    notes.push({
      urgency: "note",
      title: "The node is catching up",
      detail: `block ${formatNumber(toNumber(head.number))} of ${formatNumber(toNumber(sync.highest))}: ${formatNumber(behind)} to go`,
      meaning: "It shows the state at its head, which is not the latest.",
      advice: "Wait until it has caught up.",
    });
  }
  const days = disk?.daysLeft;
  const isForecast = failing.some(({ title }) => title === KNOWN.forecast?.title);
  if (disk !== undefined && days !== undefined && days < LOW_DISK_DAYS && !isForecast) {
    notes.push({
      urgency: "note",
      title: "The disk fills up",
      detail: `${formatBytes(disk.freeBytes)} are free, enough for about ${Math.floor(days)} days`,
      meaning: "The node stops when a block cannot be written.",
      advice: "Provide more space in time.",
    });
  }
  if (status.health.status !== "up" && failing.length === 0) {
    notes.push({
      urgency: status.health.status === "down" ? "down" : "degraded",
      title: `The node is ${status.health.status}`,
      detail: `its head is ${formatDuration(headAge)} old`,
      meaning: "A part of the node reports a problem without a check.",
      advice: "The log of the node has more.",
    });
  }
  const order = ["down", "degraded", "note"];
  return [...failing, ...notes].sort((a, b) => order.indexOf(a.urgency) - order.indexOf(b.urgency));
}

/** A finding as text, to be sent to someone. */
export function formatFinding({ urgency, title, detail, meaning, advice }: Finding): string {
  return [`${title} (${urgency})`, detail, `Meaning: ${meaning}`, `What to do: ${advice}`].join(
    "\n",
  );
}

/** What a plugin reports although its check is up. */
function fromRemark({ plugin, name, detail = "" }: HealthCheck): Finding {
  return {
    urgency: "note",
    title: `A remark of ${plugin} about ${name}`,
    detail,
    meaning: "The check is up, but an operator may not expect this.",
    advice: "Nothing, if it is intended. Otherwise undo what the remark names.",
  };
}

function fromCheck({ plugin, name, status, detail }: HealthCheck): Finding {
  const known = KNOWN[name];
  return {
    urgency: status === "down" ? "down" : "degraded",
    title: known?.title ?? `${plugin}: ${name}`,
    detail: detail ?? `${plugin} reports ${status} for ${name}`,
    meaning: known?.meaning ?? `The plugin ${plugin} does not work as it should.`,
    advice: known?.advice ?? "The log of the node has more; look for the name of the plugin.",
  };
}
