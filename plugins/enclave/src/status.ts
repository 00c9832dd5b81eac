import { command, messageOf, option, PlinthError } from "@plinth/core";
import type { ManagerStatus } from "@plinth/kit-enclave";
import { STATUS_PATH } from "./status-route.js";

/** `enclave status`: which managers are there, and what waits for which. */
export const status = command({
  id: "enclave status",
  summary: "Says which managers a running one knows, and which payloads wait for whom.",
  examples: ["plinth enclave status", "plinth enclave status --url=http://127.0.0.1:9102"],
  flags: {
    url: option.text({
      summary: "Where the manager serves its node.",
      default: "http://127.0.0.1:9101",
    }),
  },
  async run({ flags: { url }, io, signal }) {
    const status = await ask(new URL(STATUS_PATH, url), signal);
    for (const line of describe(status, Date.now())) await io.write(line);
  },
});

async function ask(url: URL, signal: AbortSignal): Promise<ManagerStatus> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`it answers with ${response.status}`);
    return (await response.json()) as ManagerStatus;
  } catch (error) {
    throw new PlinthError("ENCLAVE_UNREACHABLE", {
      message: `No private transaction manager answers at ${url.origin}: ${messageOf(error)}`,
      cause: error,
    });
  }
}

/** What a person reads of it. */
export function describe({ peers, undelivered }: ManagerStatus, now: number): readonly string[] {
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
  return [
    ...(lines.length === 0 ? ["No other managers are known."] : lines),
    ...(waiting.length === 0 ? ["Nothing waits to be delivered."] : waiting),
  ];
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
