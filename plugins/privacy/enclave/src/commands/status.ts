import { command, option } from "@plinth/core";
import type { ManagerStatus } from "../manager.js";
import { STATUS_PATH } from "../routes/status-route.js";
import { askManager } from "./ask-manager.js";
import { describeAside } from "./resend.js";

/** `enclave status`: lists known managers and groups, and pending deliveries. */
export const status = command({
  id: "enclave status",
  summary:
    "Lists the managers and groups known to a running manager, and the payloads pending for each recipient.",
  examples: ["plinth enclave status", "plinth enclave status --url=http://127.0.0.1:9102"],
  flags: {
    url: option.text({
      summary: "URL at which the manager serves its node.",
      default: "http://127.0.0.1:9101",
    }),
    json: option.flag({ summary: "Prints one JSON object instead of text." }),
  },
  uses: {},
  async run({ flags: { url, json }, io, signal }) {
    const status = (await askManager(new URL(STATUS_PATH, url), { signal })) as ManagerStatus;
    await io.write(json ? JSON.stringify(status) : describe(status, Date.now()).join("\n"));
  },
});

/** Formats the status as text. */
export function describe(status: ManagerStatus, now: number): readonly string[] {
  const { peers, undelivered, refusedDeletions, groups, unknownGroups, aside } = status;
  const lines = peers.map(({ url, isKnown, keys, seenAt }) => {
    const seen = seenAt === undefined ? "" : `, last heard of ${age(now - seenAt)} ago`;
    return isKnown
      ? `${url}: serves ${keys.join(", ")}${seen}`
      : `${url}: has not announced itself`;
  });
  const waiting = undelivered.map(({ recipient, count, oldest, reason }) => {
    const why = reason === undefined ? "" : `: ${reason}`;
    return `${count} payloads are pending for ${recipient}, the oldest for ${age(now - oldest)}${why}`;
  });
  const refused = refusedDeletions.map(
    ({ privacyGroupId, from, at, reason }) =>
      `${from} requested ${age(now - at)} ago to delete the group ${privacyGroupId}, which was rejected: ${reason}`,
  );
  const unknown = unknownGroups.map(({ privacyGroupId, payloads, from, since }) => {
    const what = payloads === 1 ? "1 payload names" : `${payloads} payloads name`;
    return `${what} the group ${privacyGroupId}, which is unknown to this manager; sent by ${from}, the first ${age(now - since)} ago`;
  });
  return [
    ...(lines.length === 0 ? ["No other managers are known."] : lines),
    ...(waiting.length === 0 ? ["No deliveries are pending."] : waiting),
    `${groups} ${groups === 1 ? "group is" : "groups are"} known.`,
    ...unknown,
    ...(aside === 0 ? [] : [describeAside(aside)]),
    ...refused,
  ];
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
