import { command, messageOf, option, PlinthError } from "@plinth/core";
import type { GenesisFinding } from "@plinth/core/consensus";
import { escapeLine } from "@plinth/core/kernel";

const flags = {
  json: option.flag({ summary: "Prints a JSON list of findings instead of text." }),
};

/** `genesis check`: reports problems of a genesis file, and their fixes. */
export const check = command({
  id: "genesis check",
  summary:
    "Checks a genesis file: engine, validators, forks, fees, times; exit code 1 if a node would not start with it.",
  examples: ["plinth genesis check genesis.json", "plinth genesis check genesis.json --json"],
  flags,
  args: { placeholder: "FILE", summary: "The genesis file.", min: 1, max: 1 },
  uses: { genesis: true },
  async run({ flags: { json: isJson }, args: [path = ""], io, checkGenesis }) {
    const json = parseJson(await read(path, io), path);
    const findings = await checkGenesis(json, path);
    await io.write(isJson ? JSON.stringify(findings) : formatFindings(path, findings));
    return findings.some(({ severity }) => severity === "error") ? 1 : 0;
  },
});

function read(path: string, io: { read(path: string): Promise<string> }): Promise<string> {
  return io.read(path).catch((cause: unknown) => {
    throw new PlinthError("INPUT_UNREADABLE", {
      message: `cannot read ${path}: ${messageOf(cause)}`,
      cause,
    });
  });
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PlinthError("INPUT_INVALID", {
      message: `${path} is not JSON: ${messageOf(cause)}`,
      cause,
    });
  }
}

/** A paragraph for each finding, and a summary. */
function formatFindings(path: string, findings: readonly GenesisFinding[]): string {
  const paragraphs = findings.map(({ severity, key, problem, fix }) =>
    [
      `${severity.padEnd(8)}${escapeLine(`${key} ${problem}`)}`,
      ...(fix === undefined ? [] : [`  fix:  ${escapeLine(fix)}`]),
    ].join("\n"),
  );
  const errors = count(findings, "error");
  const warnings = count(findings, "warning");
  const verdict =
    errors > 0
      ? `a node does not start with it: ${errors} errors`
      : warnings > 0
        ? `a node starts with it, with ${warnings} warnings`
        : "no problems found";
  return [...paragraphs, `${path}: ${verdict}`].join("\n");
}

function count(findings: readonly GenesisFinding[], severity: GenesisFinding["severity"]): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
