import { join } from "node:path";
import { namedNetworks } from "@plinth/core/genesis";
import { describe, expect, it } from "vitest";
import { formatApiReport } from "../support/api-report.js";
import { readFates, type ValueFate } from "../support/besu-fates.js";
import { BESU_OPTIONS } from "../support/besu-options.js";
import { readHookTypes } from "../support/hook-types.js";
import { ROOT, runProgram } from "../support/program.js";
import { openProgramHost } from "../support/program-host.js";
import { readPublicEntries } from "../support/public-api.js";
import {
  formatApi,
  formatBesuOptions,
  formatHooks,
  formatMethods,
  formatOptions,
  readProgramOptions,
} from "../support/reference.js";
import { registerShippedNode } from "../support/shipped-plugins.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Options that determine the sources of others. */
const SOURCES = ["config-file", "profile", "plugins"].map((name) => ({ name, aliases: [] }));

const SOURCE_FATES: readonly ValueFate[] = [
  { name: "config-file", value: "", fate: "served", reason: "" },
  { name: "profile", value: "", fate: "served", reason: "" },
  {
    name: "plugins",
    value: "",
    fate: "refused",
    reason: "plugins of Besu do not run here; list those of Plinth in a configuration file",
  },
];

const page = (name: string) => join(ROOT, "docs/reference", name);

// `npm run reference` regenerates the pages.
describe("the generated reference", () => {
  it("lists every option of the program, the core and the shipped plugins", async () => {
    using folder = temporaryFolder();
    const node = await registerShippedNode();
    const { stdout } = await runProgram(["--help=all"], { folder: folder.path });

    const text = formatOptions(node.prepared.schema.all(), readProgramOptions(stdout));

    await expect(text).toMatchFileSnapshot(page("options.md"));
  });

  it("lists every option of Besu with its status", async () => {
    using folder = temporaryFolder();
    await using host = openProgramHost();

    const node = await registerShippedNode();
    const networks = node.contributions(namedNetworks).map(({ name }) => name);
    const fates = await readFates(host.run, folder.path, networks);
    const text = formatBesuOptions([...SOURCES, ...BESU_OPTIONS], [...SOURCE_FATES, ...fates]);

    await expect(text).toMatchFileSnapshot(page("besu-options.md"));
    expect(text).not.toContain("(0)");
  });

  it("lists every method", async () => {
    const node = await registerShippedNode();

    await expect(formatMethods(node.methods())).toMatchFileSnapshot(page("methods.md"));
  });

  it("lists every hook", async () => {
    const node = await registerShippedNode();

    await expect(formatHooks(node.hooks, readHookTypes())).toMatchFileSnapshot(page("hooks.md"));
  });

  it("lists the exports for plugin authors, each with its description", async () => {
    const entries = readPublicEntries(join(ROOT, "core/contract"));
    const names = entries.flatMap((entry) => entry.names);

    expect(names.filter(({ kind, summary }) => kind === "" || summary === "")).toEqual([]);
    await expect(formatApi(entries)).toMatchFileSnapshot(page("plugin-api.md"));
  });

  it("shows every change of the contract of plugins", async () => {
    const report = formatApiReport(join(ROOT, "core/contract"));

    await expect(report).toMatchFileSnapshot(join(ROOT, "core/contract/api-report.md"));
  });
});
