import type { PlacedLog } from "@plinth/kit-rpc";

/** Text that is written at once: V8 gives longer ones fresh memory pages, which costs more than writing them. */
const MAX_TEXT = 8 * 1024;
/** A little more than the JSON of a log without topics and data. */
const LOG_BYTES = 360;
const TOPIC_BYTES = 70;

/** Logs as JSON that `write` writes for each, separated by commas, between two other texts. */
export function encodeLogs(
  logs: readonly PlacedLog[],
  write: (log: PlacedLog) => string,
  { before, after }: { readonly before: string; readonly after: string },
): Buffer {
  let bytes = Buffer.allocUnsafe(estimateBytes(logs));
  let length = 0;
  const append = (text: string) => {
    const needed = length + text.length;
    if (needed > bytes.length) bytes = Buffer.concat([bytes.subarray(0, length)], 2 * needed);
    length += bytes.write(text, length, "latin1");
  };
  let text = before;
  let separator = "";
  for (const log of logs) {
    text += separator;
    text += write(log);
    separator = ",";
    if (text.length < MAX_TEXT) continue;
    append(text);
    text = "";
  }
  append(text + after);
  return bytes.subarray(0, length);
}

function estimateBytes(logs: readonly PlacedLog[]): number {
  let size = LOG_BYTES;
  for (const { log } of logs) {
    size += LOG_BYTES + log.topics.length * TOPIC_BYTES + log.data.length * 2;
  }
  return size;
}
