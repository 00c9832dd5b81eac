import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A stack frame: a URL or a path, then line and column. */
const FRAME = /(?:\(|at |async )((?:file:\/\/)?\/[^()]*?|[A-Za-z]:\\[^()]*?):(\d+:\d+)\)?$/;
/** The prefix of some syntax error stacks: the file and the line. */
const HEADING = /^(file:\/\/\/.*):(\d+)$/;

interface Frame {
  readonly file: string;
  /** The line, and the column if known. */
  readonly position: string;
}

/** The files of the frames of an error, innermost first, without those of Node.js. */
export function stackFiles(error: unknown): readonly string[] {
  return framesOf(error).map(({ file }) => file);
}

/**
 * Where an error was thrown, as `/folder/file.mjs:3:7`; `undefined` if its stack does not contain
 * it.
 *
 * With the file of a plugin: the innermost location in the folder of that file, if there is one.
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
