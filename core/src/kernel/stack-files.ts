import { fileURLToPath } from "node:url";

/** A frame of a stack: an URL or a path, then line and column. */
const FRAME = /(?:\(|at |async )((?:file:\/\/)?\/[^()]*?|[A-Za-z]:\\[^()]*?):\d+:\d+\)?$/;

/** The files that the frames of an error stand in, the innermost first; those of Node.js itself are left out. */
export function stackFiles(error: unknown): readonly string[] {
  const stack = error instanceof Error ? error.stack : undefined;
  return (stack ?? "").split("\n").flatMap((line) => {
    const file = FRAME.exec(line.trim())?.[1];
    if (file === undefined) return [];
    return [file.startsWith("file://") ? fileURLToPath(file) : file];
  });
}
