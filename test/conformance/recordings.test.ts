import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing, VECTORS } from "../support/conformance.js";

/** The original of each recording, beside the suites of other projects. */
const ORIGINALS: Readonly<Record<string, string>> = {
  "besu-live": "besu-live",
  "besu-networks": "besu-networks",
  "besu-wire": "../besu-wire",
  "privacy-live": "privacy-live",
  "consensus-vectors.json": "consensus-vectors.json",
  "privacy-vectors.json": "privacy-vectors.json",
  "run-besu-live.mjs": "run-besu-live.mjs",
};

describe.skipIf(isConformanceMissing)("the recordings in the repository", () => {
  it.each(Object.entries(ORIGINALS))("match the originals byte for byte: %s", (name, original) => {
    const copies = filesOf(join(VECTORS, name));
    const originals = filesOf(join(CONFORMANCE, original));

    expect([...copies.keys()]).toEqual([...originals.keys()]);
    const changed = [...copies].filter(([file, path]) => {
      const other = originals.get(file) ?? "";
      return !readFileSync(path).equals(readFileSync(other));
    });
    expect(changed).toEqual([]);
  });
});

/** The files of a folder, or the file itself, by their path in it. */
function filesOf(path: string): ReadonlyMap<string, string> {
  if (statSync(path).isFile()) return new Map([["", path]]);
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
  const files = names.map((name) => [name, join(path, name)] as const);
  return new Map(files.filter(([, file]) => statSync(file).isFile()));
}
