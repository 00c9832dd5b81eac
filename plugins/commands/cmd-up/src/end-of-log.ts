import { open } from "node:fs/promises";

/** Number of bytes of a file to read. */
const TAIL_BYTES = 8192;
const LINES = 8;

/** The last lines of a log; none if the file is missing. */
export async function readEndOfLog(path: string): Promise<readonly string[]> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(TAIL_BYTES),
      position: start,
    });
    const lines = buffer.toString("utf8", 0, bytesRead).trimEnd().split("\n");
    // The first one may be incomplete.
    return lines.slice(start === 0 ? 0 : 1).slice(-LINES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
