import { join } from "node:path";
import type { GenesisFinding } from "@plinth/core/consensus";
import type { Installation } from "./find-installation.js";
import type { DroppedOption, TranslatedOptions } from "./translate-options.js";

/** The inputs of a report. */
export interface MigrationFacts {
  readonly installation: Installation;
  readonly to: string;
  readonly options: TranslatedOptions;
  readonly findings: readonly GenesisFinding[];
  /** The address of the node key. */
  readonly address: string | undefined;
  /** Paths of options that were not found. */
  readonly lostFiles: readonly string[];
}

/** What was read and written, what has no counterpart, and what to do next. */
export function formatReport(facts: MigrationFacts): string {
  const { installation, to, options, findings, lostFiles } = facts;
  const config = join(to, "plinth.toml");
  return [
    "# From Besu to Plinth",
    "",
    `Read from ${installation.folder}; nothing was changed there.`,
    "",
    ...describeFiles(facts),
    "",
    ...formatList(
      "These options request something that is not available. They were omitted",
      options.missing,
    ),
    ...formatList("These options have no effect here. They were omitted", options.idle),
    ...formatPlain(
      "These files were configured and not found. Copy them, or change the paths",
      lostFiles,
    ),
    ...formatPlain(
      "Findings of `plinth genesis check`",
      findings
        .filter(({ severity }) => severity !== "note")
        .map(
          ({ severity, key, problem, fix }) =>
            `${severity}: ${key} ${problem}${fix ? `; ${fix}` : ""}`,
        ),
    ),
    "Options that Besu got on its command line or by `BESU_…` variables are in no file: Plinth accepts the same ones.",
    "",
    "## Blocks",
    "",
    "The database of Besu cannot be read here. The node fetches all blocks from its peers when it starts; or, without peers,",
    "export them with Besu, which must not run meanwhile, and import them:",
    "",
    "```sh",
    `besu --data-path=${dataPathOf(installation)} --genesis-file=${installation.genesis ?? "genesis.json"} blocks export --to=chain.rlp`,
    `plinth --config-file=${config} blocks import chain.rlp`,
    "```",
    "",
    "## Start",
    "",
    "Stop the Besu node first: two nodes with one key would contradict each other.",
    "",
    "```sh",
    `plinth --config-file=${config}`,
    "```",
    "",
    "`plinth status` with the same `--config-file` shows its state: it queries the socket `plinth.ipc` in the data folder, which the",
    "configuration enables.",
    "",
  ].join("\n");
}

function describeFiles({ installation, address }: MigrationFacts): readonly string[] {
  const { configFile, genesis, key, staticNodes, permissions } = installation;
  const none = "none";
  return [
    "| What | Found | |",
    "| --- | --- | --- |",
    `| options | ${configFile ?? none} | \`plinth.toml\` |`,
    `| genesis file | ${genesis ?? none} | ${copyOf(genesis, "genesis.json")} |`,
    `| node key | ${key ?? "none: the node gets a new one, and is no validator with it"} | ${address ?? ""} |`,
    `| static nodes | ${staticNodes ?? none} | ${copyOf(staticNodes, "static-nodes.json")} |`,
    `| permissions | ${permissions ?? none} | ${copyOf(permissions, "permissions_config.toml")} |`,
  ];
}

function copyOf(file: string | undefined, name: string): string {
  return file === undefined ? "" : `\`${name}\``;
}

function formatList(title: string, options: readonly DroppedOption[]): readonly string[] {
  return formatPlain(
    title,
    options.map(({ name, reason }) => `\`--${name}\`: ${reason}`),
  );
}

function formatPlain(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, "", ...lines.map((line) => `- ${line}`), ""];
}

function dataPathOf({ options, folder }: Installation): string {
  const given = options.get("data-path");
  return typeof given === "string" ? given : folder;
}
