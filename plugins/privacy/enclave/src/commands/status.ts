import { command, option } from "@plinth/core";
import type { ManagerStatus } from "../manager.js";
import { STATUS_PATH } from "../routes/status-route.js";
import { askManager } from "./ask-manager.js";
import { describeAside } from "./resend.js";

/** `enclave status`: which managers and groups are there, and what waits for which. */
export const status = command({
  id: "enclave status",
  summary: "Says which managers and groups a running one knows, and which payloads wait for whom.",
  examples: ["plinth enclave status", "plinth enclave status --url=http://127.0.0.1:9102"],
  flags: {
    url: option.text({
      summary: "Where the manager serves its node.",
      default: "http://127.0.0.1:9101",
    }),
    json: option.flag({ summary: "Prints one JSON object in place of the text." }),
  },
  uses: {},
  async run({ flags: { url, json }, io, signal }) {
    const status = (await askManager(new URL(STATUS_PATH, url), { signal })) as ManagerStatus;
    await io.write(json ? JSON.stringify(status) : describe(status, Date.now()).join("\n"));
  },
});

/** What a person reads of it. */
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
    return `${count} payloads wait for ${recipient}, the oldest for ${age(now - oldest)}${why}`;
  });
  const refused = refusedDeletions.map(
    ({ privacyGroupId, from, at, reason }) =>
      `${from} asked ${age(now - at)} ago to delete the group ${privacyGroupId}, which was not done: ${reason}`,
  );
  const unknown = unknownGroups.map(({ privacyGroupId, payloads, from, since }) => {
    const what = payloads === 1 ? "1 payload names" : `${payloads} payloads name`;
    return `${what} the group ${privacyGroupId}, which this manager does not know; sent by ${from}, the first ${age(now - since)} ago`;
  });
  return [
    ...(lines.length === 0 ? ["No other managers are known."] : lines),
    ...(waiting.length === 0 ? ["Nothing waits to be delivered."] : waiting),
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
