import { InvalidFile, MAX_FILE_BYTES } from "../abi/artifact.js";
import { addFile, listArtifacts } from "../abi/book.js";
import type { View } from "../context.js";
import { type Child, fill, h } from "../dom.js";
import { columns, section, table } from "../parts/table.js";

/** ABIs that the reader has added. They stay in this tab, until it is reloaded. */
export function filesView(): View {
  const report = h("div", { role: "status" });
  const list = h("div", {}, artifactTable());
  const input = h("input", { type: "file", multiple: true, accept: ".json,.abi", id: "files" });
  const add = async (files: Iterable<File>) => {
    fill(report, ...(await addFiles(files)));
    fill(list, artifactTable());
  };
  input.addEventListener("change", () => void add(input.files ?? []));
  const area = h(
    "div",
    { class: "drop" },
    h("p", {}, h("label", { for: "files" }, "Choose files, or drop them anywhere on this page: ")),
    input,
  );
  return {
    title: "ABIs",
    content: [
      h(
        "p",
        {},
        "Inputs, logs and errors of common standards are decoded without any file. For others, add the artifacts of Hardhat, Foundry or Truffle, the metadata of a contract, the build information of a compiler, or an ABI. Files are read by this page only: they are not sent to the node. A development chain adds the contracts of its project: those of --abi, out and artifacts.",
      ),
      area,
      report,
      section("Contracts from files", list),
    ],
  };
}

/** Accepts files that are dropped on any view; shows what was in them. */
export function acceptDrops(changed: () => void): void {
  const report = h("div", { role: "status", class: "dropped" });
  document.body.append(report);
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const files = event.dataTransfer?.files;
    if (files === undefined || files.length === 0) return;
    void addFiles(files).then((lines) => {
      fill(report, ...lines);
      setTimeout(() => fill(report), 6000);
      changed();
    });
  });
}

async function addFiles(files: Iterable<File>): Promise<readonly Child[]> {
  const lines: Child[] = [];
  for (const file of files) lines.push(await addOne(file));
  return lines;
}

async function addOne(file: File): Promise<Child> {
  if (file.size > MAX_FILE_BYTES) {
    return h("p", { class: "notice problem" }, `${file.name} is larger than 64 MB.`);
  }
  try {
    const found = addFile(file.name, await file.text());
    const names = found
      .map(({ name }) => name)
      .slice(0, 5)
      .join(", ");
    return h(
      "p",
      { class: "notice good" },
      `${file.name}: added ${names}${found.length > 5 ? ` and ${found.length - 5} more` : ""}.`,
    );
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    return h("p", { class: "notice problem" }, error.message);
  }
}

function artifactTable(): HTMLElement {
  const rows = listArtifacts().map(({ name, entries, deployedCode, sources }) => [
    h("bdi", {}, name),
    entries.filter(({ kind }) => kind === "function").length,
    entries.filter(({ kind }) => kind === "event").length,
    entries.filter(({ kind }) => kind === "error").length,
    deployedCode === undefined ? "no" : "yes",
    sources.size,
  ]);
  return table({
    name: "Contracts from files",
    columns: columns("Contract", "Functions#", "Events#", "Errors#", "Code", "Sources#"),
    rows,
    empty: "None yet.",
  });
}
