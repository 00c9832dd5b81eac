import { findArtifact } from "../abi/book.js";
import { SourceMap, type SourcePlace } from "../debugger/source-map.js";
import { fill, h, link } from "../dom.js";

/** Lines that are shown before and after those of the instruction. */
const AROUND = 6;
const MAX_LINES = 40;

/** The lines of source that the present instruction comes from, if a file has them. */
export class SourcePart {
  readonly element = h("div", { class: "source" });
  readonly #codeOf: (address: string) => Promise<string | undefined>;
  readonly #maps = new Map<string, Promise<SourceMap | undefined>>();
  #shown = "";

  constructor(codeOf: (address: string) => Promise<string | undefined>) {
    this.#codeOf = codeOf;
  }

  /** Shows the source of an instruction; that of the latest call is shown. */
  show(address: string | undefined, pc: number): void {
    const key = `${address} ${pc}`;
    this.#shown = key;
    void this.#mapOf(address).then((map) => {
      if (this.#shown === key) fill(this.element, ...parts(map, pc));
    });
  }

  #mapOf(address: string | undefined): Promise<SourceMap | undefined> {
    if (address === undefined) return Promise.resolve(undefined);
    const known = this.#maps.get(address) ?? this.#read(address);
    this.#maps.set(address, known);
    return known;
  }

  async #read(address: string): Promise<SourceMap | undefined> {
    const code = await this.#codeOf(address);
    const artifact = code === undefined ? undefined : findArtifact(code);
    const hasMap = artifact?.sourceMap !== undefined && artifact.sources.size > 0;
    return artifact !== undefined && hasMap ? new SourceMap(artifact) : undefined;
  }
}

function parts(map: SourceMap | undefined, pc: number): readonly Node[] {
  if (map === undefined) {
    return [
      h(
        "p",
        { class: "dim" },
        "For the lines of the source, ",
        link("files", "add the compiler's output with its sources"),
        ", such as the build information of Hardhat or Foundry.",
      ),
    ];
  }
  const place = map.find(pc);
  if (place === undefined)
    return [h("p", { class: "dim" }, "The compiler has generated this instruction.")];
  return [
    h("p", { class: "dim" }, h("bdi", {}, place.path), `, line ${place.line}`),
    lineList(place),
  ];
}

function lineList({ lines, line, endLine }: SourcePlace): HTMLElement {
  const from = Math.max(1, line - AROUND);
  const to = Math.min(lines.length, endLine + AROUND, from + MAX_LINES);
  return h(
    "ol",
    { class: "lines", start: from },
    ...lines
      .slice(from - 1, to)
      .map((text, index) =>
        h(
          "li",
          { class: from + index >= line && from + index <= endLine ? "here" : undefined },
          h("code", {}, text),
        ),
      ),
  );
}
