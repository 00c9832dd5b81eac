import type { Artifact } from "../abi/artifact.js";
import { toBytes } from "../abi/bytes.js";

/** A place in a source file. */
export interface SourcePlace {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** Where the instructions of a contract come from. */
export class SourceMap {
  readonly #artifact: Artifact;
  readonly #indexes: ReadonlyMap<number, number>;
  readonly #places: readonly (readonly [number, number, number])[];

  constructor(artifact: Artifact) {
    this.#artifact = artifact;
    this.#indexes = instructionIndexes(toBytes(artifact.deployedCode ?? "0x"));
    this.#places = parsePlaces(artifact.sourceMap ?? "");
  }

  /** The place of the instruction at a position of the code; `undefined` for generated code. */
  find(pc: number): SourcePlace | undefined {
    const [start, length, file] = this.#places[this.#indexes.get(pc) ?? -1] ?? [];
    const source = this.#artifact.sources.get(file ?? -1);
    if (source === undefined || start === undefined || length === undefined || start < 0) {
      return undefined;
    }
    const bytes = new TextEncoder().encode(source.content);
    const line = countLines(bytes.subarray(0, start));
    return {
      path: source.path,
      line,
      endLine: line + countLines(bytes.subarray(start, start + length)) - 1,
      lines: source.content.split("\n"),
    };
  }
}

/** The number of each instruction by its position: the data of a push is none. */
function instructionIndexes(code: Uint8Array): ReadonlyMap<number, number> {
  const indexes = new Map<number, number>();
  for (let pc = 0; pc < code.length; pc++) {
    indexes.set(pc, indexes.size);
    const op = code[pc] ?? 0;
    if (op >= PUSH1 && op <= PUSH32) pc += op - PUSH1 + 1;
  }
  return indexes;
}

/** Start, length and file of each instruction; an empty field repeats that of the one before. */
function parsePlaces(map: string): readonly (readonly [number, number, number])[] {
  let last: readonly [number, number, number] = [-1, -1, -1];
  return map.split(";").map((entry) => {
    const fields = entry.split(":");
    const read = (index: number, before: number) => {
      const text = fields[index] ?? "";
      return text === "" ? before : Number(text);
    };
    last = [read(0, last[0]), read(1, last[1]), read(2, last[2])];
    return last;
  });
}

function countLines(bytes: Uint8Array): number {
  return bytes.reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 1);
}
