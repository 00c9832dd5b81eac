import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A frame of a stack: an URL or a path, then line and column. */
const FRAME = /(?:\(|at |async )((?:file:\/\/)?\/[^()]*?|[A-Za-z]:\\[^()]*?):(\d+:\d+)\)?$/;
/** What Node.js puts before the stack of some syntax errors: the file and the line. */
const HEADING = /^(file:\/\/\/.*):(\d+)$/;

interface Frame {
  readonly file: string;
  /** The line, and the column where it is known. */
  readonly position: string;
}

/** The files that the frames of an error stand in, the innermost first; those of Node.js itself are left out. */
export function stackFiles(error: unknown): readonly string[] {
  return framesOf(error).map(({ file }) => file);
}

/**
 * Where an error was thrown, as `/folder/file.mjs:3:7`; `undefined` when its stack does not say.
 *
 * With the file of a plugin: the innermost place in the folder of that file, if there is one.
 */
export function findPlace(error: unknown, pluginFile?: string): string | undefined {
  const frames = framesOf(error);
  const folder = pluginFile === undefined ? undefined : `${dirname(pluginFile)}${sep}`;
  const own = folder && frames.find(({ file }) => file.startsWith(folder));
  const frame = own || frames[0];
  return frame && `${frame.file}:${frame.position}`;
}

function framesOf(error: unknown): readonly Frame[] {
  const stack = error instanceof Error ? error.stack : undefined;
  return (stack ?? "").split("\n").flatMap((line) => {
    const [, file, position] = FRAME.exec(line.trim()) ?? HEADING.exec(line) ?? [];
    if (file === undefined || position === undefined) return [];
    return [{ file: file.startsWith("file://") ? fileURLToPath(file) : file, position }];
  });
}
